import { memo, useRef } from "react";
import type { Task } from "../api/types";
import { Icon } from "../shell/icon";
import { deleteTask, toggleTask } from "../state/clicks";
import { Facts } from "../text/facts";
import { Shown } from "../text/shown";
import { spelled } from "../text/unseen";
import { t } from "../words/words";
import { pressTask } from "./drag";
import { Editor } from "./editor";

interface Props {
  task: Task;
  fresh: boolean;
  editing: boolean;
  /** Its day is in the heading above it. */
  underDay: boolean;
  onEdit: (id: string | null) => void;
}

/** A task: done by its circle, edited by its title, deleted by its bin or the Delete key, dragged to a day or a list. */
export const Row = memo(function Row({ task, fresh, editing, underDay, onEdit }: Props) {
  const row = useRef<HTMLLIElement>(null);
  const isDone = task.status === "completed";
  const title = spelled(task.title);
  const close = (): void => {
    onEdit(null);
    requestAnimationFrame(() => row.current?.querySelector<HTMLElement>("[data-part=title]")?.focus());
  };
  const leave = (how: (task: Task) => Promise<boolean>): void => {
    focusBeside(row.current);
    void how(task);
  };
  return (
    <li ref={row} className={`group rounded-xl ${fresh ? "fresh" : ""} ${editing ? "my-1" : "hover:bg-paper"}`}>
      {editing ? (
        <Editor
          task={task}
          onClose={close}
          onDelete={() => {
            onEdit(null);
            leave(deleteTask);
          }}
        />
      ) : (
        <div
          className="flex items-start px-1 select-none [-webkit-touch-callout:none]"
          onPointerDown={event => isDone || pressTask(task, event)}
          onKeyDown={event => {
            if (event.key !== "Delete") return;
            event.preventDefault();
            leave(deleteTask);
          }}
        >
          <button
            type="button"
            data-part="check"
            className="group/check grid size-10 flex-none place-items-center rounded-full"
            aria-label={t(isDone ? "task.reopen" : "task.complete", { title })}
            onClick={() => leave(toggleTask)}
          >
            <span
              className={`grid size-5 place-items-center rounded-full border-[1.5px] ${
                isDone
                  ? "border-accent bg-accent text-on-accent"
                  : "border-edge text-transparent group-hover/check:border-accent group-hover/check:text-accent"
              }`}
            >
              <Icon name="check" className="size-3.5" />
            </span>
          </button>
          <button
            type="button"
            data-part="title"
            className="min-h-10 min-w-0 flex-1 rounded-lg px-1 py-2 text-left leading-snug"
            onClick={() => onEdit(task.id)}
          >
            <span className="sr-only">{t("task.edit")} </span>
            <span data-title className={isDone ? "text-soft line-through decoration-edge" : ""}>
              <Shown text={task.title} />
            </span>
            <Facts task={isDone ? { ...task, status: "pending", due: null, repeat: null } : task} underDay={underDay} />
          </button>
          <button
            type="button"
            data-part="bin"
            className="icon-button pointer-fine:opacity-0 pointer-fine:group-hover:opacity-100 focus-visible:opacity-100"
            aria-label={t("task.delete", { title })}
            onClick={() => leave(deleteTask)}
          >
            <Icon name="bin" className="size-[1.15rem]" />
          </button>
        </div>
      )}
    </li>
  );
});

/** A row that goes away hands the focus to its neighbour, so that the keyboard does not fall off the page. */
function focusBeside(row: HTMLElement | null): void {
  const part = (document.activeElement as HTMLElement | null)?.dataset.part;
  if (!row || !part) return;
  const all = [...(row.closest("[data-list-pane]")?.querySelectorAll<HTMLElement>(`[data-part=${part}]`) ?? [])];
  const at = all.findIndex(one => row.contains(one));
  (all[at + 1] ?? all[at - 1] ?? document.getElementById("new-task"))?.focus();
}
