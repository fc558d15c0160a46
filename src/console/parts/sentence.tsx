import { h } from "preact";

import { drawPieces } from "./visitor-text.tsx";

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
