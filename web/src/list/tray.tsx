import { zone } from "../state/session";
import { useStore } from "../state/store";
import { list } from "../state/tasks";
import { addDays, clock, dayHeading } from "../text/due";
import { Shown } from "../text/shown";
import { t } from "../words/words";
import { changeFor, dayPlace, dragged, listPlace, pointer } from "./drag";

const DAYS = 7;

/** While a task is dragged: every day of a week and every list, in reach of the pointer. The keyboard has the editor. */
export function Tray() {
  const now = useStore(dragged);
  const { lists } = useStore(list);
  if (!now) return null;
  const date = new Date();
  const today = clock(date, zone()).slice(0, 10);
  const days = Array.from({ length: DAYS }, (_, from) => addDays(today, from));
  const place = (name: string, words: React.ReactNode) => (
    <div
      key={name}
      data-drop={name}
      className={`grid min-h-11 min-w-0 place-items-center rounded-xl border px-1 text-center text-[0.8125rem] ${
        now.over === name
          ? "border-accent bg-tint font-medium text-accent"
          : changeFor(now.task, name)
            ? "border-line bg-raised"
            : "border-transparent text-soft"
      }`}
    >
      <span className="max-w-full truncate">{words}</span>
    </div>
  );
  return (
    <>
      <div
        aria-hidden="true"
        className="rise absolute inset-x-0 bottom-0 z-30 grid gap-2 border-t border-line bg-surface p-3 shadow-[0_-8px_24px_rgb(0_0_0/0.08)] select-none"
      >
        <div className="grid grid-cols-4 gap-2 lg:grid-cols-8">
          {days.map(day => place(dayPlace(day), dayHeading(day, date, zone())))}
          {place(dayPlace(null), t("section.someday"))}
        </div>
        {lists.length > 0 && (
          <div className="grid max-h-40 grid-cols-3 gap-2 overflow-hidden lg:grid-cols-6">
            {place(listPlace(null), t("list.lists.none"))}
            {lists.map(name => place(listPlace(name), <Shown text={name} />))}
          </div>
        )}
      </div>
      <Ghost title={now.task.title} />
    </>
  );
}

/** The task at the pointer. */
function Ghost({ title }: { title: string }) {
  const { x, y } = useStore(pointer);
  return (
    <div
      data-ghost
      aria-hidden="true"
      className="pointer-events-none fixed top-0 left-0 z-50 max-w-48 truncate rounded-xl border border-accent bg-raised px-3 py-2 shadow-lg shadow-black/15"
      style={{ transform: `translate(${Math.min(x + 8, innerWidth - 200)}px, ${y - 48}px)` }}
    >
      <Shown text={title} />
    </div>
  );
}
