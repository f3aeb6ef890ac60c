import { useEffect, useRef, useState } from "react";
import type { QuickField } from "../api/parts";
import type { ReadTask } from "../api/types";
import { Icon, type IconName } from "../shell/icon";
import { addText, readText } from "../state/clicks";
import { zone } from "../state/session";
import { forgetShared, readShared } from "../state/shared";
import { dueText } from "../text/due";
import { leadText, repeatText } from "../text/repeat";
import { Shown, Spoken } from "../text/shown";
import { spelled } from "../text/unseen";
import { locale, t } from "../words/words";

export const LONGEST_TITLE = 200;
const LONGEST_TEXT = 400;
const PAUSE = 200; // milliseconds without a key, after which the text is read

const ICONS: Record<QuickField, IconName> = {
  due: "clock",
  repeat: "repeat",
  priority: "flag",
  list: "tag",
  remind: "bell",
};

/** Any text as a task, on the list that is shown unless it names another. What is read out of it is shown below while it
 * is typed, and goes back into the title by a tap. */
export function AddTask({ list }: { list: string | null }) {
  const [text, setText] = useState(() => readShared().slice(0, LONGEST_TEXT));
  const [kept, setKept] = useState<QuickField[]>([]);
  const [found, setFound] = useState<ReadTask | null>(null);
  const [question, setQuestion] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const wanted = text.trim();
  useEffect(() => {
    if (readShared()) field.current?.focus();
    forgetShared();
  }, []);
  useEffect(() => {
    if (!wanted) {
      setFound(null);
      setKept(before => (before.length ? [] : before));
      return;
    }
    const stop = new AbortController();
    const read = (): void =>
      void readText({ text: wanted, keep: kept }, stop.signal).then(
        setFound,
        () => stop.signal.aborted || setFound(null),
      );
    const timer = setTimeout(read, PAUSE);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted, kept]);
  const add = async (unless_open: boolean): Promise<void> => {
    if (!wanted) return;
    write("");
    const added = await addText({ text: wanted, keep: kept, unless_open, ...(list ? { list } : {}) });
    if (added === true) return;
    setText(wanted);
    setKept(kept);
    if (typeof added === "string") setQuestion(added);
  };
  const write = (words: string): void => {
    setText(words);
    setQuestion(null);
  };
  const keep = (name: QuickField): void => {
    setKept(before => [...before, name]);
    field.current?.focus();
  };
  const label = list ? t("list.add_to", { list: spelled(list) }) : t("list.add");
  return (
    <div className="mt-4">
      <form
        className="flex items-center rounded-xl border border-edge bg-raised focus-within:border-accent focus-within:ring-1 focus-within:ring-accent"
        onSubmit={event => {
          event.preventDefault();
          void add(true);
        }}
      >
        <label htmlFor="new-task" className="grid size-10 flex-none place-items-center text-soft">
          <Icon name="plus" className="size-[1.15rem]" />
          <span className="sr-only">{label}</span>
        </label>
        <input
          ref={field}
          id="new-task"
          className="min-h-10 min-w-0 flex-1 bg-transparent pr-2 outline-none placeholder:text-soft"
          value={text}
          maxLength={LONGEST_TEXT}
          placeholder={label}
          autoComplete="off"
          enterKeyHint="done"
          onChange={event => write(event.target.value)}
        />
        {wanted && (
          <button type="submit" className="button button-quiet mr-1 text-accent">
            {t("list.add_button")}
          </button>
        )}
      </form>
      <Chips found={wanted ? found : null} onKeep={keep} />
      {question && (
        <Again
          question={question}
          onAnswer={isYes => {
            if (isYes) void add(false);
            else write("");
            field.current?.focus();
          }}
        />
      )}
    </div>
  );
}

/** A title that is open already is asked about, as in the conversation. */
function Again({ question, onAnswer }: { question: string; onAnswer: (isYes: boolean) => void }) {
  return (
    <div
      role="alert"
      className="rise mt-2 flex flex-wrap items-center gap-2 rounded-xl border border-line bg-raised px-4 py-3"
      onKeyDown={event => event.key === "Escape" && onAnswer(false)}
    >
      <p className="min-w-48 flex-1">
        <Spoken text={question} />
      </p>
      <button
        type="button"
        className="button button-main"
        // biome-ignore lint/a11y/noAutofocus: the question waits for an answer
        autoFocus
        onClick={() => onAnswer(true)}
      >
        {t("list.again")}
      </button>
      <button type="button" className="button button-plain" onClick={() => onAnswer(false)}>
        {t("card.no")}
      </button>
    </div>
  );
}

function Chips({ found, onKeep }: { found: ReadTask | null; onKeep: (name: QuickField) => void }) {
  const chips = found ? chipsOf(found) : [];
  const said = chips.map(([, words]) => spelled(words));
  return (
    <>
      <p className="sr-only" role="status">
        {found && chips.length > 0
          ? t("list.read", { title: spelled(found.title), values: new Intl.ListFormat(locale()).format(said) })
          : ""}
      </p>
      {chips.length > 0 && (
        <ul className="mt-2 flex flex-wrap gap-2">
          {chips.map(([name, words]) => (
            <li key={name} className="max-w-full min-w-0">
              <button
                type="button"
                data-chip={name}
                className="inline-flex min-h-9 max-w-full items-center gap-1.5 rounded-full border border-edge bg-raised px-3 text-[0.8125rem] hover:border-accent"
                aria-label={t("list.keep", { words: spelled(words) })}
                onClick={() => onKeep(name)}
              >
                <Icon name={ICONS[name]} className="size-3.5 flex-none text-accent" />
                <span className="truncate">
                  <Shown text={words} />
                </span>
                <Icon name="close" className="size-3 flex-none text-soft" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What was read, in words, in the order of the fields. */
function chipsOf(found: ReadTask): [QuickField, string][] {
  const { due, repeat, priority, list, remind } = found;
  const chips: [QuickField, string | null][] = [
    ["due", due && dueText(due, new Date(), zone())],
    ["repeat", repeat && repeatText(repeat)],
    ["priority", priority && t(`priority.text.${priority}`)],
    ["list", list],
    ["remind", remind && leadText(remind)],
  ];
  return chips.filter((chip): chip is [QuickField, string] => chip[1] !== null);
}
