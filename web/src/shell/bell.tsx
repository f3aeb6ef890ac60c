import { push, switchOn } from "../state/push";
import { useStore } from "../state/store";
import { t } from "../words/words";
import { Icon } from "./icon";

/** Offers reminders on this device, once there is a reminder. The browser asks for permission after a click on it. */
export function Bell() {
  if (useStore(push) !== "off") return null;
  return (
    <button
      type="button"
      className="button button-quiet min-h-10 flex-none text-accent max-lg:px-2.5"
      onClick={() => void switchOn()}
    >
      <span className="relative">
        <Icon name="bell" />
        <span className="absolute -top-0.5 -right-0.5 size-2 rounded-full bg-warn" />
      </span>
      <span className="max-lg:sr-only">{t("push.on")}</span>
    </button>
  );
}
