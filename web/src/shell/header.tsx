import { fleet } from "../state/machines";
import { session } from "../state/session";
import { useStore } from "../state/store";
import { list } from "../state/tasks";
import { t } from "../words/words";
import { Bell } from "./bell";
import { Icon, type IconName, Mark } from "./icon";
import { Menu } from "./menu";
import { useView, type View } from "./view";

export function Header() {
  const who = useStore(session);
  const [view] = useView();
  const hasMachines = useStore(fleet).machines.length > 0;
  return (
    <>
      {view !== "trail" && <SkipLink />}
      <header className="flex-none border-b border-line bg-surface">
        {typeof who === "object" && who.development && <DevelopmentBanner />}
        <div className="flex h-14 items-center gap-1 px-3 md:gap-2 md:px-5">
          <a href="#list" className="flex items-center gap-2.5 rounded-lg pr-1" aria-label="Sayso">
            <Mark />
            <span className="hidden text-lg font-semibold tracking-tight sm:inline">Sayso</span>
          </a>
          <nav className="flex min-w-0 flex-1 justify-center gap-1 md:justify-end" aria-label="Sayso">
            {view === "trail" && !hasMachines && (
              <Tab to="list" icon="back" current={view} className="max-md:hidden" label={t("app.back")} />
            )}
            <Tab
              to="list"
              icon="list"
              current={view}
              className={hasMachines ? "" : "md:hidden"}
              label={t("app.list")}
              tight={hasMachines}
              beside={view === "talk"}
            >
              <OpenCount />
            </Tab>
            <Tab to="talk" icon="talk" current={view} className="md:hidden" label={t("app.talk")} tight={hasMachines} />
            {hasMachines && (
              <Tab to="machines" icon="machine" current={view} className="" label={t("app.machines")} tight />
            )}
            <Tab to="trail" icon="trail" current={view} className="max-md:hidden" label={t("app.trail")} />
          </nav>
          <Bell />
          <Menu />
        </div>
      </header>
    </>
  );
}

/** Past the header at once, for those who come by keyboard. */
function SkipLink() {
  return (
    <a
      href="#message"
      className="button button-main fixed top-2 left-2 z-50 -translate-y-20 focus:translate-y-0"
      onClick={event => {
        event.preventDefault();
        document.getElementById("message")?.focus();
      }}
    >
      {t("app.skip")}
    </a>
  );
}

interface TabProps {
  to: View;
  icon: IconName;
  current: View;
  label: string;
  className: string;
  /** There is little room: on a phone only the tab that one is on shows its words. */
  tight?: boolean;
  /** What it leads to is in sight on a wide screen. */
  beside?: boolean;
  children?: React.ReactNode;
}

function Tab({ to, icon, current, label, className, tight, beside, children }: TabProps) {
  const here = to === current;
  const look = here ? "bg-tint text-accent" : beside ? "md:bg-tint md:text-accent" : "";
  const size = tight
    ? here
      ? "max-md:flex-[2]"
      : "max-md:flex-1 max-md:px-1"
    : "max-md:flex-auto max-md:gap-1.5 max-md:px-1.5";
  return (
    <a
      href={`#${to}`}
      aria-current={here ? "page" : undefined}
      className={`button button-quiet min-h-10 min-w-0 max-md:max-w-44 ${size} ${look} ${className}`}
    >
      <Icon name={icon} className="size-[1.15rem] flex-none" />
      <span className={tight && !here ? "max-sm:sr-only" : "truncate"}>{label}</span>
      {children}
    </a>
  );
}

function OpenCount() {
  const { tasks, view, more } = useStore(list);
  if (view.filter !== "pending" || tasks.length === 0) return null;
  return (
    <span className="min-w-5 rounded-full bg-line px-1.5 text-center text-xs tabular-nums text-ink">
      {tasks.length}
      {more === null ? "" : "+"}
    </span>
  );
}

export function DevelopmentBanner() {
  return (
    <p
      role="note"
      data-part="development"
      className="flex flex-none items-center justify-center gap-2 bg-warn-tint px-4 py-1.5 text-center text-[0.8125rem] text-warn"
    >
      <Icon name="alert" className="size-4 flex-none" />
      {t("app.development")}
    </p>
  );
}
