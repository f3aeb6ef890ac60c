import { memo, useId, useState } from "react";
import { type Decision, resultOf } from "../api/parts";
import type { CallResult, Card, Clarify, Confirm } from "../api/types";
import { Icon, Mark } from "../shell/icon";
import { go } from "../shell/view";
import { cardsOf, say, type Turn, undoDeed } from "../state/talk";
import { showView } from "../state/tasks";
import { Shown, Spoken } from "../text/shown";
import { spelled } from "../text/unseen";
import { t } from "../words/words";
import { CardView } from "./card";
import { focusMessage } from "./focus";
import { Options } from "./options";
import { Dots } from "./outgoing";
import { Why } from "./why";
import { Words } from "./words";

interface Props {
  turn: Turn;
  before: Turn | undefined;
  isLast: boolean;
  takenBack: Record<string, string>;
}

/** A message and all that it came to. */
export const TurnView = memo(function TurnView({ turn, before, isLast, takenBack }: Props) {
  const { reply, streaming } = turn;
  const [why, setWhy] = useState(false);
  const panel = useId();
  const question = reply.decisions.findLast(
    (one): one is Clarify => one.kind === "clarify" && Boolean(one.options?.length),
  );
  const cards = cardsOf(reply).filter(card => isLast || Date.parse(card.expires_at) > Date.now());
  const onlyAsks = cards.length > 0 && reply.decisions.every(one => one.kind === "confirm");
  const choices = question && isLast && !streaming && cards.length < 2;
  const byModel = reply.by_model || reply.decisions.some(usedModel);
  return (
    <li className="flex flex-col gap-3" data-turn data-pending={streaming || undefined}>
      <Words text={chosen(turn, before)} />
      <div className="rise flex gap-3">
        <Mark className="mt-0.5 size-6 flex-none" />
        <div className="min-w-0 flex-1" data-reply>
          {reply.reply ? <Said text={reply.reply} hidden={onlyAsks} /> : streaming ? <Dots /> : null}
          {cards.length > 0 && (
            <div className={`flex flex-col gap-3 ${onlyAsks ? "" : "mt-3"}`}>
              {cards.map(card => (
                <CardView key={card.id} card={card} decision={decisionOf(card, reply.decisions)} />
              ))}
            </div>
          )}
          {choices && <Options question={question} />}
          {!streaming && (
            <div className="mt-1 -ml-2 flex flex-wrap items-center gap-x-1">
              {undone(reply.results).map(deeds => (
                <Undo
                  key={deeds[0].undo}
                  deeds={deeds}
                  many={reply.results.length > deeds.length}
                  said={takenBack[deeds[0].undo]}
                />
              ))}
              {reply.decisions.length > 0 && (
                <button
                  type="button"
                  className="button button-quiet button-aside"
                  aria-expanded={why}
                  aria-controls={panel}
                  onClick={() => setWhy(!why)}
                >
                  {t("talk.why")}
                </button>
              )}
              {byModel && <ModelMark />}
              {isLast && <Next turn={turn} />}
            </div>
          )}
          <div id={panel}>{why && <Why message={turn.message} decisions={reply.decisions} />}</div>
        </div>
      </div>
    </li>
  );
});

function usedModel(decision: Decision): boolean {
  return Object.values(decision.evidence ?? {}).some(one => one.source === "proposed");
}

/** The answer. Where a card says the same, it is there for those who listen alone. */
function Said({ text, hidden }: { text: string; hidden: boolean }) {
  return (
    <p className={hidden ? "sr-only" : ""}>
      <Spoken text={text} />
    </p>
  );
}

/** Who answers with a number has chosen what stood there. */
function chosen(turn: Turn, before: Turn | undefined): string {
  if (!/^[1-9]$/.test(turn.message)) return turn.message;
  const asked = before?.reply.decisions.findLast((one): one is Clarify => one.kind === "clarify");
  const option = asked?.options?.[Number(turn.message) - 1];
  return option ? `${turn.message} · ${option.label}` : turn.message;
}

export function ModelMark() {
  return (
    <span
      className="inline-flex items-center gap-1 rounded-full bg-model-tint px-2.5 py-0.5 text-xs font-medium text-model"
      title={t("talk.model_title")}
    >
      <Icon name="spark" className="size-3.5" />
      {t("talk.model")}
    </span>
  );
}

/** The decision that a card asks about; a question that is asked once more has none. */
function decisionOf(card: Card, decisions: Decision[]): Confirm | undefined {
  const asked = decisions.filter((one): one is Confirm => one.kind === "confirm");
  return asked.find(one => one.question === card.card) ?? (asked.length === 1 ? asked[0] : undefined);
}

type Undoable = CallResult & { undo: string };

/** The deeds that can be taken back; those that are taken back at once are together. */
function undone(deeds: CallResult[]): [Undoable, ...Undoable[]][] {
  const found = new Map<string, [Undoable, ...Undoable[]]>();
  for (const deed of deeds.filter((one): one is Undoable => Boolean(one.undo))) {
    const same = found.get(deed.undo);
    if (same) same.push(deed);
    else found.set(deed.undo, [deed]);
  }
  return [...found.values()];
}

function Undo({ deeds, many, said }: { deeds: [Undoable, ...Undoable[]]; many: boolean; said: string | undefined }) {
  const [busy, setBusy] = useState(false);
  const [deed] = deeds;
  if (said) {
    return (
      <span className="flex items-center gap-1 px-2 text-xs text-soft">
        <Icon name="undo" className="size-3.5" /> <Spoken text={said} />
      </span>
    );
  }
  const result = resultOf(deed);
  const title = result.title ?? result.task?.title ?? "";
  return (
    <button
      type="button"
      className="button button-quiet button-aside"
      disabled={busy}
      aria-label={deeds.length > 1 ? undefined : t("talk.undo_of", { title: spelled(title) })}
      onClick={() => {
        setBusy(true);
        void undoDeed(deed.undo).finally(() => {
          setBusy(false);
          focusMessage();
        });
      }}
    >
      <Icon name="undo" className="size-3.5" />
      {deeds.length > 1 ? t("talk.undo_all", { count: deeds.length }) : t("talk.undo")}
      {many && deeds.length === 1 && title && (
        <span className="max-w-40 truncate">
          <Shown text={title} />
        </span>
      )}
    </button>
  );
}

/** What may be wanted now: offered, never run by itself. */
function Next({ turn }: { turn: Turn }) {
  return turn.reply.next.map(offer => (
    <button
      type="button"
      key={offer.label}
      className={`button button-quiet text-accent ${offer.tool === "list_tasks" ? "md:hidden" : ""}`}
      onClick={() => {
        if (offer.tool !== "list_tasks") return say(offer.label);
        showView({ filter: "pending", search: "", priority: null });
        go("list");
      }}
    >
      <Shown text={offer.label} />
    </button>
  ));
}
