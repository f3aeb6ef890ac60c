import { memo } from "react";
import { t } from "../words/words";
import { pieces } from "./unseen";

/** A text of somebody's own, as what it is: never markup, held apart from what stands around it. */
export const Shown = memo(function Shown({ text, breaks = false }: { text: string; breaks?: boolean }) {
  return (
    <bdi className={breaks ? "whitespace-pre-line" : undefined}>
      {pieces(text, breaks).map((piece, at) =>
        "text" in piece ? (
          <span key={at}>{piece.text}</span>
        ) : (
          <span key={at} className="unseen" title={t("text.unseen", { code: piece.code })}>
            {piece.code}
          </span>
        ),
      )}
    </bdi>
  );
});

/** What Sayso says: its own words, with the titles in quotation marks held apart. */
export const Spoken = memo(function Spoken({ text }: { text: string }) {
  const parts = text.split(/("[^"\n]*")/);
  return (
    <span className="whitespace-pre-line">
      {parts.map((part, at) => (part ? <Shown key={at} text={part} breaks /> : null))}
    </span>
  );
});
