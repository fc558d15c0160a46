import { h } from "preact";

import { piecesOf } from "../words/hidden-characters.ts";
import { Tag } from "./badge.tsx";

/** What somebody outside wrote: as text, in its own direction, with what is invisible made visible. */
export function VisitorText({ text }: { text: string }) {
  return <bdi dir="auto">{drawPieces(text)}</bdi>;
}

/** The pieces of a part of such a text, for where the part itself is marked. */
export function drawPieces(text: string) {
  return piecesOf(text).map((piece) =>
    piece.kind === "text" ? piece.text : <Tag title={piece.name}>{piece.code}</Tag>,
  );
}
