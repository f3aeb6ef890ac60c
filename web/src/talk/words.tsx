import { Shown } from "../text/shown";
import { t } from "../words/words";

/** What the person said. */
export function Words({ text, pending = false }: { text: string; pending?: boolean }) {
  return (
    <div
      className={`max-w-[85%] self-end rounded-2xl rounded-br-md px-4 py-2.5 ${
        pending ? "border border-dashed border-edge" : "bg-tint"
      }`}
    >
      <span className="sr-only">{t("talk.you")}: </span>
      <Shown text={text} breaks />
    </div>
  );
}
