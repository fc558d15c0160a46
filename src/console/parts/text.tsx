import { h } from "preact";

import { piecesOf } from "../words/hidden-characters.ts";
import { ago, fullMoment, shortMoment } from "../words/times.ts";
import { Tag } from "./badge.tsx";

/** Text from outside: unformatted, in its own direction, with invisible characters made visible. */
export function VisitorText({ text }: { text: string }) {
  return <bdi dir="auto">{drawPieces(text)}</bdi>;
}

/** The pieces of such a text, for an element with `dir="auto"`. */
export function drawPieces(text: string) {
  return piecesOf(text).map((piece) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      // Isolated, so that its letters do not affect the direction of the text around it.
      <bdi>
        <Tag title={piece.name}>{piece.code}</Tag>
      </bdi>
    ),
  );
}

/** An instant; its tooltip has seconds and time zone. */
export function Time({ at, as = "moment" }: { at: number; as?: "moment" | "ago" }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={fullMoment(at)} class="nowrap">
      {as === "ago" ? ago(at) : shortMoment(at)}
    </time>
  );
}

/** A sentence from the server with names between backticks. It may quote visitors. */
export function Sentence({ text }: { text: string }) {
  const parts = text.split("`");
  // With an odd number of backticks the text is shown as it is.
  if (parts.length % 2 === 0) return <span>{drawPieces(text)}</span>;
  return (
    <span>
      {parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{drawPieces(part)}</code> : drawPieces(part)))}
    </span>
  );
}

/** With a capital letter at its beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
