import { h } from "preact";

import { piecesOf } from "../words/hidden-characters.ts";
import { Tag } from "./badge.tsx";

/** What somebody outside wrote: as text, in its own direction, with what is invisible made visible. */
export function VisitorText({ text }: { text: string }) {
  return <bdi dir="auto">{drawPieces(text)}</bdi>;
}

/** The pieces of such a text, for an element that has `dir="auto"` itself. */
export function drawPieces(text: string) {
  return piecesOf(text).map((piece) =>
    piece.kind === "text" ? (
      piece.text
    ) : (
      // Isolated, so that its letters do not count for the direction of the text around it.
      <bdi>
        <Tag title={piece.name}>{piece.code}</Tag>
      </bdi>
    ),
  );
}
