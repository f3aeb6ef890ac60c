import type { Outgoing as Item } from "../state/outbox";
import { useStore } from "../state/store";
import { discard, online, tryAgain } from "../state/talk";
import { t } from "../words/words";
import { Words } from "./words";

/** A message that has no answer yet. */
export function Outgoing({ item }: { item: Item }) {
  const connected = useStore(online);
  return (
    <li className="flex flex-col gap-2">
      <Words text={item.content} pending={!connected || Boolean(item.refused)} />
      {item.refused ? (
        <div className="self-end text-right text-[0.8125rem] text-warn">
          {t("talk.refused", { why: item.refused })}
          <div className="mt-1 flex justify-end gap-1">
            <button type="button" className="button button-quiet" onClick={() => tryAgain(item.id)}>
              {t("talk.again")}
            </button>
            <button type="button" className="button button-quiet" onClick={() => discard(item.id)}>
              {t("talk.discard")}
            </button>
          </div>
        </div>
      ) : (
        !connected && <p className="self-end text-[0.8125rem] text-soft">{t("talk.waiting")}</p>
      )}
      {connected && !item.refused && <Dots />}
    </li>
  );
}

/** It takes a while: shown after a moment, so that what is quick does not flicker. */
export function Dots() {
  return (
    <p className="late text-soft">
      <span className="sr-only">{t("talk.thinking")}</span>
      <span className="flex gap-1 py-2" aria-hidden="true">
        <i className="dot" />
        <i className="dot" />
        <i className="dot" />
      </span>
    </p>
  );
}
