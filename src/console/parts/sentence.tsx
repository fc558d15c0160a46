import { h } from "preact";

import { drawPieces } from "./visitor-text.tsx";

/** A sentence in which names stand between backticks, as the server writes them; it may quote what somebody outside wrote. */
export function Sentence({ text }: { text: string }) {
  const parts = text.split("`");
  // An odd number of backticks is no pair: it stays as it was written.
  if (parts.length % 2 === 0) return <span>{drawPieces(text)}</span>;
  return (
    <span>
      {parts.map((part, at) => (at % 2 === 1 ? <code key={at}>{drawPieces(part)}</code> : drawPieces(part)))}
    </span>
  );
}
