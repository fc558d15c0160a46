import { h } from "preact";

import { piecesOf } from "../words/hidden-characters.ts";
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
