import { useRef } from "react";
import type { Reminder } from "../api/types";
import { Icon } from "../shell/icon";
import { completeReminder, dismissReminder, reminders, snoozeReminder } from "../state/reminders";
import { zone } from "../state/session";
import { useStore } from "../state/store";
import { clock, dueText, timeText } from "../text/due";
import { Shown } from "../text/shown";
import { spelled } from "../text/unseen";
import { t } from "../words/words";

/** What rang, until it is dealt with. It does not scroll away with the list. */
export function Ringing() {
  const { ringing } = useStore(reminders);
  const area = useRef<HTMLUListElement>(null);
  if (ringing.length === 0) return null;
  const leave = (how: (reminder: Reminder) => Promise<void>, reminder: Reminder): void => {
    const buttons = area.current?.querySelectorAll<HTMLElement>(`li:not([data-id="${reminder.id}"]) button`);
    (buttons?.[0] ?? document.getElementById("new-task"))?.focus();
    void how(reminder);
  };
  return (
    <div className="mt-4">
      <h3 className="sr-only">{t("ringing.label")}</h3>
      <ul ref={area} className="grid max-h-[38dvh] gap-2 overflow-y-auto">
        {ringing.map(reminder => (
          <Rang key={reminder.id} reminder={reminder} onLeave={how => leave(how, reminder)} />
        ))}
      </ul>
    </div>
  );
}

interface Props {
  reminder: Reminder;
  onLeave: (how: (reminder: Reminder) => Promise<void>) => void;
}

function Rang({ reminder, onLeave }: Props) {
  const { id, due, remind_at, late_by_minutes } = reminder;
  const title = spelled(reminder.title);
  const now = new Date();
  const at = dueText(clock(new Date(remind_at), zone()), now, zone());
  return (
    <li
      data-id={id}
      className="rise grid grid-cols-[auto_minmax(0,1fr)_auto] gap-x-3 rounded-xl bg-mark py-2 pr-1 pl-3"
    >
      <Icon name="bell" className="mt-2 size-[1.15rem]" />
      <div className="flex flex-wrap items-center gap-2 py-1">
        <div className="flex-1 basis-52">
          <p data-rang className="leading-snug font-medium">
            <Shown text={reminder.title} />
          </p>
          <p className="text-[0.8125rem]">
            {dueText(due, now, zone())}
            {late_by_minutes !== null && ` · ${t("ringing.late", { at })}`}
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <button
            type="button"
            className="button button-main min-h-9"
            aria-label={t("ringing.done_of", { title })}
            onClick={() => onLeave(completeReminder)}
          >
            <Icon name="check" className="size-4" /> {t("ringing.done")}
          </button>
          <button
            type="button"
            className="button button-plain min-h-9"
            aria-label={t("ringing.snooze_of", { title })}
            onClick={() => onLeave(snoozeReminder)}
          >
            <Icon name="clock" className="size-4" /> {t("ringing.snooze")}
          </button>
        </div>
      </div>
      <button
        type="button"
        className="icon-button text-ink hover:bg-transparent"
        aria-label={t("ringing.dismiss_of", { title })}
        onClick={() => onLeave(dismissReminder)}
      >
        <Icon name="close" className="size-4" />
      </button>
    </li>
  );
}

/** What is still to ring today. */
export function Coming() {
  const { coming } = useStore(reminders);
  if (coming.length === 0) return null;
  return (
    <div className="mt-3 px-2 text-[0.8125rem] text-soft">
      <h3 className="flex items-center gap-1.5 font-semibold">
        <Icon name="bell" className="size-3.5" /> {t("ringing.today")}
      </h3>
      <ul className="mt-1 grid gap-0.5 pl-5">
        {coming.map(({ id, title, remind_at }) => (
          <li key={id} data-coming className="flex gap-2">
            <span className="flex-none tabular-nums">{timeText(clock(new Date(remind_at), zone()))}</span>
            <span className="min-w-0 truncate">
              <Shown text={title} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
