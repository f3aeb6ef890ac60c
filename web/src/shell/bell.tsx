import { tell } from "../state/notice";
import { push, switchOn } from "../state/push";
import { useStore } from "../state/store";
import { t } from "../words/words";
import { Icon } from "./icon";
import { openReminders } from "./reminders";

/** Offers reminders on this device, once there is a reminder. The browser asks for permission after a click on it. Where
 * that is settled, the bell leads to the settings. */
export function Bell() {
  const state = useStore(push);
  if (state === "idle") return null;
  if (state !== "off")
    return (
      <button type="button" className="icon-button" aria-label={t("menu.reminders")} onClick={openReminders}>
        <Icon name="bell" />
      </button>
    );
  return (
    <button
      type="button"
      className="button button-quiet min-h-10 flex-none text-accent max-lg:px-1.5"
      onClick={() => void switchOn((words, bad) => tell(words, { bad }))}
    >
      <span className="relative">
        <Icon name="bell" />
        <span className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-warn" />
      </span>
      <span className="max-lg:sr-only">{t("push.on")}</span>
    </button>
  );
}
