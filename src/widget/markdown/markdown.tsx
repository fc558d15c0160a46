import { type ComponentChildren, Fragment, h } from "preact";

import { Copy } from "./copy.tsx";
import { type MarkdownLabels, renderInline } from "./inline.tsx";

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}#{1,6} +(.+?)(?: +#+)?$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,}$/;
const ITEM = /^( {0,3}(?:[-*+]|\d{1,9}[.)]) )\s*(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const TABLE_RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;
const DEEPEST = 4;

/** Lines of a text, the index of the next line and the nesting depth. */
interface Reader {
  readonly lines: readonly string[];
  at: number;
  readonly depth: number;
  readonly labels: MarkdownLabels;
}

/** Renders an answer's Markdown. No HTML is parsed, and no image is loaded before a click. */
export function Markdown({ text, labels }: { text: string; labels: MarkdownLabels }) {
  return <Fragment>{renderBlocks(text, labels, 0)}</Fragment>;
}

/** Renders blocks; text outside the supported subset becomes plain paragraphs. */
export function renderBlocks(text: string, labels: MarkdownLabels, depth: number): ComponentChildren[] {
  const lines = text.replaceAll("\t", "    ").split(/ *(?:\r\n|\n|\r)/);
  const reader: Reader = { lines, at: 0, depth, labels };
  const blocks: ComponentChildren[] = [];
  while (reader.at < lines.length) {
    if (lines[reader.at]!.trim() === "") reader.at += 1;
    else blocks.push(readBlock(reader));
  }
  return blocks;
}

function readBlock(reader: Reader): ComponentChildren {
  const line = reader.lines[reader.at]!;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return readCode(reader, fence);
  if (reader.depth < DEEPEST && ITEM.test(line) && !RULE.test(line)) return readList(reader);
  if (reader.depth < DEEPEST && QUOTE.test(line)) return readQuote(reader);
  if (startsTable(reader)) return readTable(reader);
  const heading = HEADING.exec(line)?.[1];
  if (heading === undefined && !RULE.test(line)) return readParagraph(reader);
  reader.at += 1;
  return heading === undefined ? <hr /> : <p class="heading">{renderInline(heading, reader.labels)}</p>;
}

function readCode(reader: Reader, fence: string): ComponentChildren {
  const start = reader.at + 1;
  const length = reader.lines.slice(start).findIndex((line) => line.trim().startsWith(fence));
  const end = length < 0 ? reader.lines.length : start + length;
  reader.at = end + 1;
  const code = reader.lines.slice(start, end).join("\n");
  return (
    <div class="code">
      <pre tabIndex={0} role="group" aria-label={reader.labels.code} dir="ltr">
        <code>{code}</code>
      </pre>
      <Copy labels={reader.labels} textOf={() => code} />
    </div>
  );
}

function readQuote(reader: Reader): ComponentChildren {
  const inner: string[] = [];
  for (; reader.at < reader.lines.length; reader.at += 1) {
    const content = QUOTE.exec(reader.lines[reader.at]!)?.[1];
    if (content === undefined) break;
    inner.push(content);
  }
  return <blockquote>{renderBlocks(inner.join("\n"), reader.labels, reader.depth + 1)}</blockquote>;
}

const isOrdered = (line: string) => /^ *\d/.test(line);

function readList(reader: Reader): ComponentChildren {
  const first = reader.lines[reader.at]!;
  const ordered = isOrdered(first);
  const items: ComponentChildren[] = [];
  for (
    let next = first;
    ITEM.test(next) && isOrdered(next) === ordered;
    next = reader.lines[reader.at] ?? ""
  ) {
    items.push(<li>{renderItem(readItem(reader), reader)}</li>);
    while (reader.lines[reader.at] === "" && ITEM.test(reader.lines[reader.at + 1] ?? "")) reader.at += 1;
  }
  return ordered ? <ol start={Number.parseInt(first)}>{items}</ol> : <ul>{items}</ul>;
}

/** Reads one item with its indented lines and its lazy continuation lines (CommonMark 5.2). */
function readItem(reader: Reader): string {
  const [, marker, content] = ITEM.exec(reader.lines[reader.at]!)!;
  const indent = new RegExp(`^ {1,${marker!.length}}`);
  const inner = [content!];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at]!;
    const next = reader.lines[reader.at + 1] ?? "";
    const belongs = line === "" ? next.startsWith("  ") : line.startsWith("  ") || !startsBlock(line);
    if (!belongs) break;
    inner.push(line.replace(indent, ""));
  }
  return inner.join("\n");
}

/** Renders an item; a single line is not wrapped in a paragraph. */
function renderItem(text: string, { labels, depth }: Reader): ComponentChildren[] {
  return text.includes("\n") || startsBlock(text)
    ? renderBlocks(text, labels, depth + 1)
    : renderInline(text, labels);
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

function startsTable({ lines, at }: Reader): boolean {
  return lines[at]!.includes("|") && TABLE_RULE.test(lines[at + 1] ?? "");
}

function readTable(reader: Reader): ComponentChildren {
  const head = cellsOf(reader.lines[reader.at]!);
  const rows: string[][] = [];
  for (reader.at += 2; reader.lines[reader.at]?.includes("|"); reader.at += 1) {
    rows.push(cellsOf(reader.lines[reader.at]!));
  }
  return (
    <div class="table" tabIndex={0} role="group" aria-label={reader.labels.table}>
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th scope="col">{renderInline(cell, reader.labels)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {head.map((_, column) => (
                <td>{renderInline(row[column] ?? "", reader.labels)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function startsBlock(line: string): boolean {
  return [FENCE, HEADING, RULE, ITEM, QUOTE].some((pattern) => pattern.test(line));
}

function readParagraph(reader: Reader): ComponentChildren {
  const text = [reader.lines[reader.at]!.trim()];
  for (reader.at += 1; reader.at < reader.lines.length; reader.at += 1) {
    const line = reader.lines[reader.at]!;
    if (line.trim() === "" || startsBlock(line) || startsTable(reader)) break;
    text.push(line.trim());
  }
  return <p>{renderInline(text.join("\n"), reader.labels)}</p>;
}
