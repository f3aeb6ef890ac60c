import { useCallback, useEffect, useState } from "react";
import { Icon } from "../shell/icon";
import { notice } from "../state/notice";
import { zone } from "../state/session";
import { useStore } from "../state/store";
import { list, loadMore, type View } from "../state/tasks";
import { t } from "../words/words";
import { AddTask } from "./add";
import { Filters } from "./filters";
import { grouped } from "./groups";
import { Row } from "./row";

export function ListPane({ hiddenOnPhone }: { hiddenOnPhone: boolean }) {
  const { tasks, view, lists, loaded, more, fresh } = useStore(list);
  const [editing, setEditing] = useState<string | null>(null);
  const edit = useCallback((id: string | null): void => {
    setEditing(id);
    if (id) notice.set(null); // it would lie over the form
  }, []);
  useEffect(() => {
    if (loaded) performance.mark("first-list");
  }, [loaded]);
  const isOpen = view.filter === "pending" && loaded;
  return (
    <section
      aria-labelledby="list-title"
      className={`min-h-0 min-w-0 flex-col border-line bg-surface md:col-start-2 md:row-span-2 md:row-start-1 md:border-l ${hiddenOnPhone ? "hidden md:flex" : "flex"}`}
    >
      <div className="flex-none px-4 pt-5 md:px-6">
        <div className="flex items-baseline justify-between gap-3">
          <h2 id="list-title" className="text-lg font-semibold tracking-tight">
            {t("list.title")}
          </h2>
          {isOpen && !view.search && more === null && tasks.length > 0 && (
            <p className="text-[0.8125rem] text-soft tabular-nums">{t("list.count", { count: tasks.length })}</p>
          )}
        </div>
        <AddTask list={view.list} />
        <Filters view={view} lists={lists} />
      </div>
      <div
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-20 md:px-4 md:pb-20"
        onKeyDown={event => moveBetweenRows(event)}
      >
        {!loaded && <Skeleton />}
        {loaded && tasks.length === 0 && <Empty view={view} />}
        {grouped(tasks, new Date(), zone()).map(([group, part]) => (
          <section key={group} aria-labelledby={`group-${group}`} className="mt-5 first:mt-3">
            <h3
              id={`group-${group}`}
              className={`px-2 pb-1 text-xs font-semibold ${group === "overdue" ? "text-warn" : "text-soft"}`}
            >
              {t(`group.${group}`)}
            </h3>
            <ul>
              {part.map(task => (
                <Row key={task.id} task={task} fresh={fresh === task.id} editing={editing === task.id} onEdit={edit} />
              ))}
            </ul>
          </section>
        ))}
        {more !== null && (
          <button type="button" className="button button-plain mx-2 mt-4" onClick={() => void loadMore()}>
            {t("list.more")}
          </button>
        )}
      </div>
    </section>
  );
}

/** Arrows go from row to row, on the same button. */
function moveBetweenRows(event: React.KeyboardEvent): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const button = (event.target as HTMLElement).closest<HTMLElement>("[data-part]");
  if (!button) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(`[data-part="${button.dataset.part}"]`)];
  const next = all[all.indexOf(button) + (event.key === "ArrowDown" ? 1 : -1)];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function Empty({ view }: { view: View }) {
  const searching = Boolean(view.search || view.priority);
  return (
    <div className="grid justify-items-center gap-2 px-6 py-14 text-center">
      <span className="grid size-12 place-items-center rounded-full bg-tint text-accent">
        <Icon name={searching ? "search" : "check"} className="size-6" />
      </span>
      <p className="mt-1 font-medium">
        {t(searching ? "list.empty.search" : view.list ? "list.empty.list" : `list.empty.${view.filter}`)}
      </p>
      {!searching && !view.list && view.filter === "pending" && (
        <p className="text-sm text-soft">{t("list.empty.pending_hint")}</p>
      )}
    </div>
  );
}

function Skeleton() {
  return (
    <div className="late px-2 pt-6" aria-busy="true">
      <p className="sr-only">{t("list.loading")}</p>
      {["w-3/5", "w-2/5", "w-1/2"].map(width => (
        <div key={width} className="flex items-center gap-3 py-3">
          <span className="size-5 rounded-full bg-line" />
          <span className={`h-3 rounded-full bg-line ${width}`} />
        </div>
      ))}
    </div>
  );
}
