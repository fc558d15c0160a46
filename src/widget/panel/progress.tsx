import { h } from "preact";

import { Markdown } from "../markdown/markdown.tsx";
import type { PanelView } from "./view.ts";

/** The partial answer. It is outside the live log, so that only the complete answer is announced. */
export function Progress({ view }: { view: PanelView }) {
  const status = view.session.status();
  if (status.kind === "streaming") {
    return (
      <div class="answer" aria-hidden="true">
        <div class="prose" dir="auto">
          <Markdown text={withoutLooseCells(status.text)} labels={view.strings} />
        </div>
      </div>
    );
  }
  if (status.kind !== "waiting") return null;
  return (
    <div class="typing" aria-hidden="true">
      <i />
      <i />
      <i />
      {view.slow && <span>{view.words("working")}</span>}
    </div>
  );
}

const isRow = (line = "") => /^ {0,3}\|/.test(line);

/** Removes an incomplete table row, or a table head without its rule, from a partial answer: they would show as text with bars. */
export function withoutLooseCells(text: string): string {
  const lines = text.split("\n");
  if (isRow(lines.at(-1)) || lines.at(-1) === "") lines.pop();
  if (isRow(lines.at(-1)) && !isRow(lines.at(-2))) lines.pop();
  return lines.join("\n");
}
