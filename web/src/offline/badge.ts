/** The number of tasks due today, on the icon of the installed app. */

import { day } from "../state/day";
import { whenLeaving } from "../state/session";

export function followDay(): () => void {
  const show = (): void => {
    const left = day.get()?.left;
    if (left !== undefined) void navigator.setAppBadge?.(left).catch(() => null); // 0 takes it off
  };
  return day.watch(show);
}

whenLeaving(async () => navigator.clearAppBadge?.());
