import { useEffect, useState } from "react";
import type { Card, Confirm } from "../api/types";
import { Icon } from "../shell/icon";
import { taskOf } from "../state/clicks";
import { answerCard } from "../state/talk";
import { Facts } from "../text/facts";
import { Shown, Spoken } from "../text/shown";
import { t } from "../words/words";
import { ArgumentsOf } from "./arguments";
import { focusMessage } from "./focus";

/** What needs a yes: the question as the service wrote it, the record it is about, and whether there is a way back. */
export function CardView({ card, decision }: { card: Card; decision: Confirm }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const isOver = useOver(card.expires_at);
  const record = card.record ?? taskOf({ arguments: decision.arguments ?? {} });
  const deletes = decision.tool === "delete_task";
  const days = card.undo_days === undefined && deletes ? 30 : card.undo_days;
  const answer = async (given: "yes" | "no"): Promise<void> => {
    setBusy(true);
    setProblem(await answerCard(card, given));
    setBusy(false);
    focusMessage();
  };
  return (
    <section
      aria-label={t("card.label")}
      className="overflow-hidden rounded-2xl border border-line bg-raised shadow-sm"
    >
      <div className="p-4 md:p-5">
        <h2 className="font-semibold">
          <Spoken text={card.card} />
        </h2>
        {record && (
          <div className="mt-3 rounded-xl bg-paper px-4 py-3">
            <p className="font-medium">
              <Shown text={record.title ?? record.name} />
            </p>
            {record.title !== undefined ? (
              <Facts task={record} />
            ) : (
              <p className="text-[0.8125rem] text-soft">
                <Shown text={record.location} />
              </p>
            )}
          </div>
        )}
        <ArgumentsOf values={decision.arguments ?? {}} leaveOut={record ? ["task_identifier", "device_id"] : []} />
        {decision.reason === "uncertain" && <p className="mt-3 text-sm text-soft">{t("card.uncertain")}</p>}
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
            disabled={busy}
            className={`button ${deletes ? "button-danger" : "button-main"}`}
            onClick={() => void answer("yes")}
          >
            {t(deletes ? "card.delete" : "card.yes")}
          </button>
          <button type="button" disabled={busy} className="button button-plain" onClick={() => void answer("no")}>
            {t("card.no")}
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
