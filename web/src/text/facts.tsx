import type { Task } from "../api/types";
import { Icon } from "../shell/icon";
import { zone } from "../state/session";
import { t } from "../words/words";
import { dueText, isOverdue, timeText } from "./due";
import { repeatText } from "./repeat";
import { Shown } from "./shown";

/** What is worth knowing about a task in one line: when it is due, how it repeats, which list it is on, and how much it
 * matters. Below a heading that names the day, the time is enough. */
export function Facts({ task, underDay = false }: { task: Task; underDay?: boolean }) {
  const now = new Date();
  const late = isOverdue(task, now, zone());
  const isDone = task.status === "completed";
  const { repeat, list: name, description } = task;
  const due = underDay && task.due?.length === 10 ? null : task.due;
  if (!due && !repeat && !name && task.priority === "medium" && !isDone && !description) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-[0.8125rem] text-soft">
      {due && (
        <span className={`inline-flex items-center gap-1 ${late ? "font-medium text-warn" : ""}`}>
          <Icon name="clock" className="size-3.5" />
          <time dateTime={due}>{underDay ? timeText(due) : dueText(due, now, zone())}</time>
          {late && <span className="sr-only">({t("task.overdue")})</span>}
        </span>
      )}
      {repeat && (
        <span className="inline-flex items-center gap-1">
          <Icon name="repeat" className="size-3.5" />
          {repeatText(repeat)}
        </span>
      )}
      {name && (
        <span className="inline-flex max-w-full min-w-0 items-center gap-1">
          <Icon name="tag" className="size-3.5 flex-none" />
          <span className="sr-only">{t("task.list")}: </span>
          <span data-list className="truncate">
            <Shown text={name} />
          </span>
        </span>
      )}
      {task.priority !== "medium" && (
        <span className={`inline-flex items-center gap-1 ${task.priority === "high" ? "text-ink" : ""}`}>
          <Icon name="flag" className="size-3.5" />
          {t(`priority.text.${task.priority}`)}
        </span>
      )}
      {isDone && (
        <span className="inline-flex items-center gap-1">
          <Icon name="check" className="size-3.5" /> {t("status.completed")}
        </span>
      )}
      {description && (
        <span className="line-clamp-1 max-w-full">
          <Shown text={description} />
        </span>
      )}
    </span>
  );
}
