import { useEffect, useRef, useState } from "react";
import { Icon } from "../shell/icon";
import { showTalk } from "../shell/view";
import { keep, mine, read } from "../state/kept";
import { say } from "../state/talk";
import { t } from "../words/words";
import { useDictation } from "./dictation";
import { focusMessage } from "./focus";

const DRAFT = mine("draft");
const LONGEST = 10_000;

/** Where one writes or dictates. What is being written survives a reload. */
export function Composer() {
  const [text, setText] = useState(() => read<string>(DRAFT, ""));
  const field = useRef<HTMLTextAreaElement>(null);
  const dictation = useDictation(setText);

  useEffect(() => {
    const taken = (event: Event): void => {
      setText((event as CustomEvent<string>).detail);
      field.current?.focus();
    };
    const area = field.current;
    area?.addEventListener("compose", taken);
    focusMessage();
    return () => area?.removeEventListener("compose", taken);
  }, []);

  const write = (words: string): void => {
    setText(words);
    keep(DRAFT, words || null);
  };
  const submit = (): void => {
    if (!text.trim()) return;
    dictation?.stop();
    say(text.trim());
    write("");
    showTalk();
    field.current?.focus();
  };

  return (
    <form
      className="border-line px-3 pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:col-start-2 md:border-l md:pt-0 md:pb-4 lg:px-5"
      onSubmit={event => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="mx-auto flex max-w-2xl items-end gap-1 rounded-2xl border border-edge bg-raised p-1.5 shadow-sm focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
        <label htmlFor="message" className="sr-only">
          {t("compose.label")}
        </label>
        <textarea
          id="message"
          ref={field}
          rows={1}
          maxLength={LONGEST}
          value={text}
          placeholder={t("compose.placeholder")}
          enterKeyHint="send"
          className="max-h-40 min-h-10 flex-1 resize-none bg-transparent px-3 py-2 outline-none field-sizing-content placeholder:text-soft"
          onChange={event => write(event.target.value)}
          onKeyDown={event => {
            if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            submit();
          }}
        />
        {dictation && (
          <button
            type="button"
            className={`icon-button ${dictation.listening ? "bg-warn-tint text-warn" : ""}`}
            aria-pressed={dictation.listening}
            aria-label={t(dictation.listening ? "compose.listening" : "compose.dictate")}
            title={t("compose.dictate_title")}
            onClick={() => (dictation.listening ? dictation.stop() : dictation.start(text))}
          >
            <Icon name="mic" />
          </button>
        )}
        <button
          type="submit"
          className="grid size-10 flex-none place-items-center rounded-xl bg-accent text-on-accent transition-colors hover:bg-accent-strong disabled:bg-line disabled:text-soft"
          disabled={!text.trim()}
          aria-label={t("compose.send")}
        >
          <Icon name="send" />
        </button>
      </div>
    </form>
  );
}
