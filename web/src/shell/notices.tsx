import { notice, spoken } from "../state/notice";
import { useStore } from "../state/store";
import { Shown } from "../text/shown";
import { t } from "../words/words";
import { Icon } from "./icon";

/** What a click has just done, with its way back. It stays until the next one: nobody has to hurry. */
export function NoticeBar() {
  const now = useStore(notice);
  if (!now) return null;
  return (
    <section
      aria-label={t("notice.label")}
      className="rise fixed bottom-24 left-1/2 z-40 flex w-max max-w-[calc(100vw-2rem)] -translate-x-1/2 items-center gap-1 rounded-2xl bg-ink py-1.5 pr-1.5 pl-4 text-paper shadow-xl shadow-black/20 md:bottom-6 md:left-6 md:max-w-sm md:translate-x-0"
    >
      {now.bad && <Icon name="alert" className="mr-1 size-4 flex-none" />}
      <p className="line-clamp-3 py-1 text-sm">
        <Shown text={now.text} />
      </p>
      {now.undo && (
        <button
          type="button"
          className="ml-2 flex min-h-9 flex-none items-center gap-1.5 rounded-xl bg-paper/15 px-3 text-sm font-semibold hover:bg-paper/25 focus-visible:outline-paper"
          onClick={() => {
            notice.set(null);
            now.undo?.();
          }}
        >
          <Icon name="undo" className="size-4" /> {t("talk.undo")}
        </button>
      )}
      <button
        type="button"
        className="grid size-9 flex-none place-items-center rounded-xl hover:bg-paper/15 focus-visible:outline-paper"
        aria-label={t("notice.dismiss")}
        onClick={() => notice.set(null)}
      >
        <Icon name="close" className="size-4" />
      </button>
    </section>
  );
}

/** Replies and notices for those who listen. */
export function Live() {
  return (
    <div role="status" className="sr-only">
      {useStore(spoken)}
    </div>
  );
}
