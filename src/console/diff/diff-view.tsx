import { type ComponentChildren, h } from "preact";
import { useMemo } from "preact/hooks";

import { drawPieces } from "../parts/text.tsx";
import { counted } from "../words/numbers.ts";
import { changedLines, type DiffLine, diffLines, type SkippedLines } from "./lines.ts";

interface DiffViewProps {
  title: string;
  before: string;
  after: string;
  end?: ComponentChildren;
}

/** The differences between two texts, line by line. */
export function DiffView({ title, before, after, end }: DiffViewProps) {
  const { lines, added, removed } = useMemo(() => diffLines(before, after), [before, after]);
  return (
    <div class="code diff">
      <div class="code-head">
        <span>
          <b>{title}</b>, {changedLines({ added, removed })}
        </span>
        {end !== undefined && <span class="end">{end}</span>}
      </div>
      <pre tabIndex={0} aria-label={title}>
        <code>
          {added + removed === 0 ? (
            <span class="ln skip-lines">No differences</span>
          ) : (
            lines.map((line, at) => <Line key={at} line={line} />)
          )}
        </code>
      </pre>
    </div>
  );
}

const SIGNS = { same: " ", added: "+", removed: "−" };
const CLASSES = { same: "ln", added: "ln add", removed: "ln del" };

function Line({ line }: { line: DiffLine | SkippedLines }) {
  if (line.kind === "skipped") {
    return (
      <span class="ln skip-lines" data-n=" ">
        {counted(line.lines, "unchanged line")}
      </span>
    );
  }
  return (
    <span class={CLASSES[line.kind]} data-n={line.line}>
      <span class="sign" aria-hidden="true">
        {SIGNS[line.kind]}
      </span>
      {line.kind !== "same" && <span class="vh">{line.kind}: </span>}
      {drawPieces(line.text)}
    </span>
  );
}
