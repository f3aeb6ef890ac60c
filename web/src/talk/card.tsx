import { type ReactNode, useEffect, useState } from "react";
import { type CardRecord, recordOf } from "../api/parts";
import type { Card, CardItem, Confirm, Task } from "../api/types";
import { Icon } from "../shell/icon";
import { taskOf } from "../state/clicks";
import { answerCard } from "../state/talk";
import { Facts } from "../text/facts";
import { Shown, Spoken } from "../text/shown";
import { spelled } from "../text/unseen";
import { t } from "../words/words";
import { ArgumentsOf } from "./arguments";
import { focusMessage } from "./focus";

const NAMED = ["task_identifier", "device_id"];

/** What needs a yes: the question as the service wrote it, what it is about, and whether there is a way back. */
export function CardView({ card, decision }: { card: Card; decision: Confirm | undefined }) {
  return card.items?.length ? (
    <SeveralCard card={card} items={card.items} />
  ) : (
    <SingleCard card={card} decision={decision} />
  );
}

function SingleCard({ card, decision }: { card: Card; decision: Confirm | undefined }) {
  const values = decision?.arguments ?? {};
  const record = recordOf(card) ?? taskOf({ arguments: values });
  const deletes = decision ? decision.tool === "delete_task" : Boolean(card.undo_days);
  return (
    <Asked card={card} deletes={deletes} yes={t(deletes ? "card.delete" : "card.yes")} no={t("card.no")}>
      {record && (
        <div className="mt-3 rounded-xl bg-paper px-4 py-3">
          <Thing record={record} />
        </div>
      )}
      <ArgumentsOf values={values} leaveOut={record ? NAMED : []} />
      {decision?.reason === "uncertain" && <p className="mt-3 text-sm text-soft">{t("card.uncertain")}</p>}
    </Asked>
  );
}

/** One card for several things: each can be taken out, and one yes is for what is left. */
function SeveralCard({ card, items }: { card: Card; items: CardItem[] }) {
  const [out, setOut] = useState<ReadonlySet<string>>(new Set());
  const left = items.filter(item => !out.has(item.id));
  const deletes = items.every(item => item.tool === "delete_task");
  const toggle = (id: string): void => {
    const next = new Set(out);
    if (!next.delete(id)) next.add(id);
    setOut(next);
  };
  const yes = t(out.size === 0 ? "card.all" : "card.some", { count: left.length });
  return (
    <Asked
      card={card}
      deletes={deletes}
      yes={yes}
      no={t("card.none")}
      left={out.size === 0 ? undefined : left.map(item => item.id)}
    >
      <ul className="mt-3 max-h-[50dvh] divide-y divide-line overflow-y-auto rounded-xl bg-paper">
        {items.map(item => (
          <li key={item.id}>
            <label className="flex cursor-pointer items-start gap-3 px-4 py-2.5">
              <input
                type="checkbox"
                className="mt-1 size-4.5 flex-none accent-accent"
                checked={!out.has(item.id)}
                onChange={() => toggle(item.id)}
              />
              <span className={`min-w-0 flex-1 ${out.has(item.id) ? "text-soft line-through" : ""}`}>
                <ItemView item={item} />
              </span>
            </label>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-[0.8125rem] text-soft">{t("card.untick")}</p>
    </Asked>
  );
}

/** A thing as it is now, with what would change; or as it would be added. */
function ItemView({ item }: { item: CardItem }) {
  const { arguments: values } = item;
  const record = recordOf(item);
  if (record) {
    return (
      <>
        <Thing record={record} />
        <ArgumentsOf values={values} leaveOut={NAMED} close />
      </>
    );
  }
  if (typeof values.title !== "string") return <Spoken text={item.card} />;
  return <Thing record={{ status: "pending", priority: "medium", ...values } as unknown as Task} />;
}

function Thing({ record }: { record: CardRecord }) {
  return (
    <>
      <span className="block font-medium">
        <Shown text={record.title ?? record.name} />
      </span>
      {record.title !== undefined ? (
        <Facts task={record} />
      ) : (
        <span className="block text-[0.8125rem] text-soft">
          <Shown text={record.location} />
        </span>
      )}
    </>
  );
}

interface AskedProps {
  card: Card;
  deletes: boolean;
  yes: string;
  no: string;
  /** The items that a yes is for, where some were taken out. */
  left?: string[] | undefined;
  children: ReactNode;
}

/** The frame of a card: its question, its way back, and the two answers. */
function Asked({ card, deletes, yes, no, left, children }: AskedProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOver = useOver(card.expires_at);
  const days = card.undo_days === undefined && deletes ? 30 : card.undo_days;
  const answer = async (given: "yes" | "no"): Promise<void> => {
    setBusy(true);
    setProblem(await answerCard(card, given, given === "yes" ? left : undefined));
    setBusy(false);
    focusMessage();
  };
  return (
    <section
      aria-label={`${t("card.label")}: ${spelled(card.card)}`}
      className="overflow-hidden rounded-2xl border border-line bg-raised shadow-sm"
    >
      <div className="p-4 md:p-5">
        <h2 className="font-semibold">
          <Spoken text={card.card} />
        </h2>
        {children}
        {days && (
          <p className="mt-3 flex items-center gap-2 text-sm text-soft">
            <Icon name="undo" className="size-4 flex-none" /> {t("card.undoable", { days })}
          </p>
        )}
        {problem && (
          <p role="alert" className="mt-3 text-sm text-warn">
            {problem}
          </p>
        )}
      </div>
      {isOver ? (
        <p className="border-t border-line px-5 py-3 text-sm text-soft">{t("card.over")}</p>
      ) : (
        <div className="flex flex-wrap gap-2 border-t border-line px-4 py-3 md:px-5">
          <button
            type="button"
            disabled={busy || left?.length === 0}
            className={`button ${deletes ? "button-danger" : "button-main"}`}
            onClick={() => void answer("yes")}
          >
            {yes}
          </button>
          <button type="button" disabled={busy} className="button button-plain" onClick={() => void answer("no")}>
            {no}
          </button>
        </div>
      )}
    </section>
  );
}

function useOver(expires: string): boolean {
  const left = Date.parse(expires) - Date.now();
  const [isOver, setOver] = useState(left <= 0);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => setOver(true), Math.min(left, 2 ** 31 - 1));
    return () => clearTimeout(timer);
  }, [left]);
  return isOver;
}
