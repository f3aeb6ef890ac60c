import { useEffect } from "react";
import { watchChanges } from "./api/changes";
import { ListPane } from "./list/list";
import { MachinesPane } from "./machines/machines";
import { followDay } from "./offline/badge";
import { Header } from "./shell/header";
import { Live, NoticeBar } from "./shell/notices";
import { Offline, Unreachable } from "./shell/offline";
import { ReminderSettings } from "./shell/reminders";
import { SignIn } from "./shell/signin";
import { useView } from "./shell/view";
import { look } from "./state/look";
import { fleet, refreshMachines } from "./state/machines";
import { adopt } from "./state/outbox";
import { followReminders } from "./state/push";
import { followList, refreshReminders } from "./state/reminders";
import { meet, session } from "./state/session";
import { useStore } from "./state/store";
import { deliver, follow, followSoon, keepUp, online } from "./state/talk";
import { refresh, refreshSoon } from "./state/tasks";
import { Composer } from "./talk/composer";
import { TalkPane } from "./talk/talk";
import { TrailPage } from "./trail/trail";

export function App() {
  const who = useStore(session);
  const { lang } = useStore(look); // every text is written anew in the language that was chosen
  useEffect(() => void meet(), []);
  if (who === "unknown") return null;
  if (who === "unreachable") return <Unreachable />;
  if (!who.signed_in) return <SignIn key={lang} development={who.development} login={who.login ?? !who.development} />;
  return <Signed key={`${lang} ${who.user?.id}`} />;
}

function Signed() {
  const [view] = useView();
  useEffect(() => {
    void refresh();
    void refreshMachines();
    void Promise.all([follow(), adopt()]).then(deliver);
    const stop = keepUp();
    const unfollow = [followList(), followReminders(), followDay()];
    const changed = (): void => {
      refreshSoon();
      followSoon();
    };
    const unwatch = watchChanges(changed, refreshReminders, () => {
      if (online.get()) return;
      online.set(true);
      void deliver();
    });
    return () => {
      stop();
      for (const each of unfollow) each();
      unwatch();
    };
  }, []);
  return (
    <div className="flex h-dvh flex-col">
      <Header />
      <Offline />
      {view === "trail" ? <TrailPage /> : <Home view={view} />}
      <ReminderSettings />
      <NoticeBar />
      <Live />
    </div>
  );
}

function Home({ view }: { view: "talk" | "list" | "machines" }) {
  const { machines, loaded } = useStore(fleet);
  const showsMachines = view === "machines" && (machines.length > 0 || !loaded);
  return (
    <main className="grid min-h-0 flex-1 grid-rows-[minmax(0,1fr)_auto] md:grid-cols-[minmax(0,1fr)_20rem] lg:grid-cols-[minmax(0,1fr)_26rem]">
      <h1 className="sr-only">Sayso</h1>
      {showsMachines ? <MachinesPane /> : <ListPane hiddenOnPhone={view === "talk"} />}
      <TalkPane hiddenOnPhone={view !== "talk"} />
      <Composer />
    </main>
  );
}
