import { useCallback, useEffect, useRef, useState } from "react";
import { Icon } from "../shell/icon";
import { day } from "../state/day";
import { notice } from "../state/notice";
import { zone } from "../state/session";
import { useStore } from "../state/store";
import { list, loadMore, type View } from "../state/tasks";
import { dayHeading, todayText } from "../text/due";
import { t } from "../words/words";
import { AddTask } from "./add";
import { dayPlace, dragged, keepFromScrolling } from "./drag";
import { Filters } from "./filters";
import { Coming, Ringing } from "./ringing";
import { Row } from "./row";
import { type Section, sections } from "./sections";
import { Tray } from "./tray";

export function ListPane({ hiddenOnPhone }: { hiddenOnPhone: boolean }) {
  const { tasks, view, lists, loaded, more, fresh } = useStore(list);
  const [editing, setEditing] = useState<string | null>(null);
  const edit = useCallback((id: string | null): void => {
    setEditing(id);
    if (id) notice.set(null); // it would lie over the form
  }, []);
  const area = useRef<HTMLDivElement>(null);
  useEffect(() => keepFromScrolling(area.current), []);
  useEffect(() => {
    if (loaded) performance.mark("first-list");
  }, [loaded]);
  const isWhole = loaded && view.filter === "pending" && !view.search && more === null;
  const now = new Date();
  return (
    <section
      data-list-pane
      aria-label={t("list.label")}
      className={`relative min-h-0 min-w-0 flex-col bg-surface md:row-span-2 ${hiddenOnPhone ? "hidden md:flex" : "flex"}`}
    >
      <div className="mx-auto w-full max-w-3xl flex-none px-4 pt-4 md:px-6 md:pt-6">
        <h2 className="text-xl font-semibold tracking-tight md:text-2xl">{todayText(now, zone())}</h2>
        <div className="flex min-h-6 items-center justify-between gap-3 text-[0.8125rem] text-soft tabular-nums">
          <Progress />
          {isWhole && tasks.length > 0 && <p className="ml-auto">{t("list.count", { count: tasks.length })}</p>}
        </div>
        <Ringing />
        <AddTask list={view.list} />
        <Filters view={view} lists={lists} />
      </div>
      <div
        ref={area}
        className="relative min-h-0 flex-1 overflow-y-auto overscroll-contain pb-28"
        onKeyDown={event => moveBetweenRows(event)}
      >
        <div className="mx-auto w-full max-w-3xl px-2 md:px-4">
          <Coming />
          {!loaded && <Skeleton />}
          {loaded && tasks.length === 0 && <Empty view={view} />}
          {sections(tasks, view.sort, now, zone()).map(section => (
            <SectionView key={section.name} section={section} now={now} fresh={fresh} editing={editing} onEdit={edit} />
          ))}
          {more !== null && (
            <button type="button" className="button button-plain mx-2 mt-4" onClick={() => void loadMore()}>
              {t("list.more")}
            </button>
          )}
          {view.filter !== "completed" && tasks.length > 0 && <MoveHint />}
        </div>
      </div>
      <Tray />
    </section>
  );
}

/** How a task gets to another day or list: dragging is never the only way. */
function MoveHint() {
  return (
    <p className="mt-8 px-2 text-[0.8125rem] text-soft">
      <span className="pointer-coarse:hidden">{t("list.move")}</span>
      <span className="not-pointer-coarse:hidden">{t("list.move_touch")}</span>
    </p>
  );
}

/** How much of today is done. */
function Progress() {
  const today = useStore(day);
  if (!today || today.done + today.left === 0) return null;
  const { done, left } = today;
  return (
    <p className="flex items-center gap-2.5">
      <progress className="sure w-24" value={done} max={done + left} aria-hidden="true" />
      {left === 0 ? t("day.all") : t("day.progress", { done, total: done + left })}
    </p>
  );
}

interface SectionProps {
  section: Section;
  now: Date;
  fresh: string | null;
  editing: string | null;
  onEdit: (id: string | null) => void;
}

const COLOURS: Partial<Record<Section["name"], string>> = { overdue: "text-warn", today: "text-accent" };

/** A section with its heading. What is coming up has one more for each day. */
function SectionView({ section: { name, parts }, now, fresh, editing, onEdit }: SectionProps) {
  const over = useStore(dragged)?.over;
  return (
    <section aria-labelledby={`section-${name}`} className="mt-6 first:mt-3">
      <h3 id={`section-${name}`} className={`px-2 pb-1 text-sm font-semibold ${COLOURS[name] ?? ""}`}>
        {t(`section.${name}`)}
      </h3>
      {parts.map(({ day: date, tasks }) => {
        const place = date || name === "someday" ? dayPlace(date) : undefined;
        return (
          <div
            key={date ?? ""}
            data-drop={place}
            className={`rounded-xl not-first:mt-1 ${place && over === place ? "bg-tint" : ""}`}
          >
            {name === "soon" && (
              <h4 className="px-2 pt-1 text-xs font-semibold text-soft">{dayHeading(date!, now, zone())}</h4>
            )}
            <ul>
              {tasks.map(task => (
                <Row
                  key={task.id}
                  task={task}
                  fresh={fresh === task.id}
                  editing={editing === task.id}
                  underDay={date !== null}
                  onEdit={onEdit}
                />
              ))}
            </ul>
          </div>
        );
      })}
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
