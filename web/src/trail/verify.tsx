import { useState } from "react";
import type { Verification } from "../api/types";
import { Icon } from "../shell/icon";
import { wordsOf } from "../state/clicks";
import { verifyTrail } from "../state/trail";
import { t } from "../words/words";

/** Goes along the whole chain of seals, and says whether it holds. */
export function Verify() {
  const [state, setState] = useState<Verification | "busy" | { failed: string } | null>(null);
  const verify = async (): Promise<void> => {
    setState("busy");
    try {
      setState(await verifyTrail());
    } catch (error) {
      setState({ failed: wordsOf(error) });
    }
  };
  const found = state !== null && typeof state === "object" ? state : null;
  const isBad = found !== null && ("failed" in found || !found.intact);
  return (
    <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
      <button type="button" className="button button-plain" disabled={state === "busy"} onClick={() => void verify()}>
        <Icon name="shield" className="size-[1.15rem] text-accent" />
        {t(state === "busy" ? "trail.verifying" : "trail.verify")}
      </button>
      <p role="status" className={`min-w-0 flex-1 basis-60 text-sm ${isBad ? "text-warn" : "text-accent"}`}>
        {found && words(found)}
      </p>
    </div>
  );
}

function words(found: Verification | { failed: string }): string {
  if ("failed" in found) return found.failed;
  if (!found.intact) return t("trail.broken", { problem: found.problem ?? "" });
  return t("trail.intact", { count: found.entries, head: found.head.slice(0, 12) });
}
