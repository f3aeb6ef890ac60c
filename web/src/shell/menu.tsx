import { wordsOf } from "../state/clicks";
import { changeLook, look, type Theme } from "../state/look";
import { tell } from "../state/notice";
import { session, signOut, signOutEverywhere } from "../state/session";
import { useStore } from "../state/store";
import { beginAnew } from "../state/talk";
import { Shown } from "../text/shown";
import { LANGUAGES, type Language, t } from "../words/words";
import { Icon } from "./icon";
import { openReminders } from "./reminders";
import { go } from "./view";

const NAMES: Record<Language, string> = { en: "English", it: "Italiano" };
const THEMES: Theme[] = ["auto", "light", "dark"];

export function Menu() {
  const who = useStore(session);
  const name = typeof who === "object" ? who.user?.name : null;
  const close = (): void => document.getElementById("menu")?.hidePopover();
  return (
    <>
      <button type="button" className="icon-button" popoverTarget="menu" aria-label={t("menu.open")}>
        <Icon name="gear" />
      </button>
      <div
        id="menu"
        popover="auto"
        className="fixed inset-auto top-13 right-3 m-0 w-72 rounded-2xl border border-line bg-raised p-4 text-ink shadow-xl shadow-black/10"
      >
        {name && (
          <p className="mb-3 text-[0.8125rem] text-soft">
            {t("menu.signed_in")}{" "}
            <strong className="text-ink">
              <Shown text={name} />
            </strong>
          </p>
        )}
        <Looks />
        <div className="mt-3 flex flex-col border-t border-line pt-3">
          <button
            type="button"
            className="button button-quiet justify-start"
            onClick={() => {
              go("talk");
              beginAnew();
              close();
            }}
          >
            <Icon name="plus" className="size-4" /> {t("menu.anew")}
          </button>
          <button
            type="button"
            className="button button-quiet justify-start"
            onClick={() => {
              close();
              openReminders();
            }}
          >
            <Icon name="bell" className="size-4" /> {t("menu.reminders")}
          </button>
          <a href="#trail" className="button button-quiet justify-start md:hidden" onClick={close}>
            <Icon name="trail" className="size-4" /> {t("app.trail")}
          </a>
          <button
            type="button"
            className="button button-quiet justify-start"
            onClick={() => void signOut().catch(error => tell(wordsOf(error), { bad: true }))}
          >
            <Icon name="back" className="size-4" /> {t("menu.signout")}
          </button>
          <button
            type="button"
            className="button button-quiet justify-start"
            onClick={() => void signOutEverywhere().catch(error => tell(wordsOf(error), { bad: true }))}
          >
            <Icon name="back" className="size-4" /> {t("menu.signout_everywhere")}
          </button>
        </div>
      </div>
    </>
  );
}

/** Language and colours, also for whoever has not signed in yet. */
export function Looks() {
  const { theme, lang } = useStore(look);
  return (
    <div className="grid grid-cols-2 gap-3">
      <label className="text-[0.8125rem] text-soft">
        {t("menu.language")}
        <select
          className="field mt-1 text-ink"
          value={lang}
          onChange={event => changeLook({ lang: event.target.value as Language })}
        >
          {LANGUAGES.map(one => (
            <option key={one} value={one} lang={one}>
              {NAMES[one]}
            </option>
          ))}
        </select>
      </label>
      <label className="text-[0.8125rem] text-soft">
        {t("menu.theme")}
        <select
          className="field mt-1 text-ink"
          value={theme}
          onChange={event => changeLook({ theme: event.target.value as Theme })}
        >
          {THEMES.map(one => (
            <option key={one} value={one}>
              {t(`menu.theme.${one}` as const as "menu.theme.auto")}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
