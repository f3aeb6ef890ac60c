import { meet, session } from "../state/session";
import { useStore } from "../state/store";
import { online } from "../state/talk";
import { t } from "../words/words";
import { Icon, Mark } from "./icon";

export function Offline() {
  if (useStore(online)) return null;
  return (
    <p
      role="alert"
      className="flex flex-none items-center justify-center gap-2 border-b border-line bg-mark px-4 py-2 text-center text-[0.8125rem]"
    >
      <Icon name="alert" className="size-4 flex-none" />
      {t("app.offline")}
    </p>
  );
}

/** Nobody is known here, and the service does not answer. */
export function Unreachable() {
  return (
    <main className="grid h-dvh place-content-center justify-items-center gap-4 p-6 text-center">
      <Mark className="size-12" />
      <h1 className="text-lg font-semibold">{t("app.unreachable")}</h1>
      <button
        type="button"
        className="button button-plain"
        onClick={() => {
          session.set("unknown");
          void meet();
        }}
      >
        {t("app.retry")}
      </button>
    </main>
  );
}
