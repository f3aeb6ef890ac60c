import { useEffect, useRef } from "react";
import { outbox } from "../state/outbox";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { openQuestion, say, talk } from "../state/talk";
import { Shown } from "../text/shown";
import { t } from "../words/words";
import { Outgoing } from "./outgoing";
import { TurnView } from "./turn";

export function TalkPane({ hiddenOnPhone }: { hiddenOnPhone: boolean }) {
  return (
    <section
      aria-label={t("talk.label")}
      className={`min-h-0 min-w-0 flex-col border-line md:border-l ${hiddenOnPhone ? "hidden md:flex" : "flex"}`}
    >
      <Log />
    </section>
  );
}

function Log() {
  const now = useStore(talk);
  const waiting = useStore(outbox);
  const log = useRef<HTMLDivElement>(null);
  const question = openQuestion(now);
  const shownAs = new Set(now.turns.map(turn => turn.key));
  const unsent = waiting.filter(item => !shownAs.has(item.id));
  const last = now.turns.at(-1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is added at the end is scrolled to
  useEffect(() => {
    // in the next frame: asking for the height now would lay out the page once for every event of a stream
    const frame = requestAnimationFrame(() => log.current?.scrollTo({ top: log.current.scrollHeight }));
    return () => cancelAnimationFrame(frame);
  }, [last?.key, last?.reply, unsent.length]);

  useEffect(() => {
    if (!question) return;
    const choose = (event: KeyboardEvent): void => {
      const at = event.target as HTMLElement;
      const writing = at.matches("input, textarea, select") || at.closest("[popover]");
      const number = Number(event.key);
      if (writing || event.ctrlKey || event.metaKey || event.altKey) return;
      if (number >= 1 && number <= (question.options?.length ?? 0)) say(event.key);
    };
    addEventListener("keydown", choose);
    return () => removeEventListener("keydown", choose);
  }, [question]);

  return (
    <div ref={log} className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 lg:px-6">
      <div className="mx-auto flex min-h-full max-w-2xl flex-col justify-end pt-8 pb-6">
        {now.loaded && now.turns.length === 0 && unsent.length === 0 && <Welcome />}
        <ol className="flex flex-col gap-6">
          {now.turns.map((turn, at) => (
            <TurnView
              key={turn.key}
              turn={turn}
              before={now.turns[at - 1]}
              isLast={turn === last && unsent.length === 0}
              takenBack={now.takenBack}
            />
          ))}
          {unsent.map(item => (
            <Outgoing key={item.id} item={item} />
          ))}
        </ol>
      </div>
    </div>
  );
}

function Welcome() {
  const who = useStore(session);
  const name = typeof who === "object" ? (who.user?.name ?? "") : "";
  const examples = [t("talk.example1"), t("talk.example2"), t("talk.example3")];
  return (
    <div className="rise m-auto w-full max-w-md py-6">
      <h2 className="text-2xl leading-snug font-semibold tracking-tight text-balance">
        <Shown text={t("talk.hello", { name })} />
      </h2>
      <p className="mt-2 text-soft">{t("talk.hint")}</p>
      <ul className="mt-5 flex flex-col gap-2">
        {examples.map(example => (
          <li key={example}>
            <button
              type="button"
              className="button button-plain w-full justify-start py-2 text-left font-normal"
              onClick={() => compose(example)}
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** An example is put before the person, who sends it or changes it first. */
function compose(text: string): void {
  document.getElementById("message")?.dispatchEvent(new CustomEvent("compose", { detail: text }));
}
