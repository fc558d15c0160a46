import { type Inline, parseInline } from "./inline.ts";

export type Block =
  | { kind: "paragraph" | "heading"; content: readonly Inline[] }
  | { kind: "list"; ordered: boolean; start: number; items: readonly (readonly Block[])[] }
  | { kind: "code"; text: string }
  | { kind: "quote"; blocks: readonly Block[] }
  | { kind: "table"; head: readonly (readonly Inline[])[]; rows: readonly (readonly (readonly Inline[])[])[] }
  | { kind: "rule" };

const FENCE = /^ {0,3}(```+|~~~+)/;
const HEADING = /^ {0,3}#{1,6} +(.+?)(?: +#+)?$/;
const RULE = /^ {0,3}([-*_])(?: *\1){2,}$/;
const ITEM = /^( {0,3}(?:[-*+]|\d{1,9}[.)]) )\s*(.*)$/;
const QUOTE = /^ {0,3}> ?(.*)$/;
const TABLE_RULE = /^ {0,3}\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;
const DEEPEST = 4;

/** Lines of a text, and how far they have been read. */
interface Lines {
  readonly lines: readonly string[];
  at: number;
}

/** Parses an answer. Anything outside the subset is a paragraph of plain text. */
export function parseBlocks(text: string, depth = 0): readonly Block[] {
  const input: Lines = { lines: text.replaceAll("\t", "    ").split(/ *(?:\r\n|\n|\r)/), at: 0 };
  const blocks: Block[] = [];
  while (input.at < input.lines.length) {
    if (input.lines[input.at]!.trim() === "") input.at += 1;
    else blocks.push(readBlock(input, depth));
  }
  return blocks;
}

function readBlock(input: Lines, depth: number): Block {
  const line = input.lines[input.at]!;
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return readCode(input, fence);
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) {
    input.at += 1;
    return { kind: "heading", content: parseInline(heading) };
  }
  if (RULE.test(line)) {
    input.at += 1;
    return { kind: "rule" };
  }
  if (depth < DEEPEST && ITEM.test(line)) return readList(input, depth);
  if (depth < DEEPEST && QUOTE.test(line)) return readQuote(input, depth);
  if (startsTable(input)) return readTable(input);
  return readParagraph(input);
}

function readCode(input: Lines, fence: string): Block {
  const text: string[] = [];
  for (input.at += 1; input.at < input.lines.length; input.at += 1) {
    if (input.lines[input.at]!.trim().startsWith(fence)) {
      input.at += 1;
      break;
    }
    text.push(input.lines[input.at]!);
  }
  return { kind: "code", text: text.join("\n") };
}

function readQuote(input: Lines, depth: number): Block {
  const inner: string[] = [];
  for (; input.at < input.lines.length; input.at += 1) {
    const content = QUOTE.exec(input.lines[input.at]!)?.[1];
    if (content === undefined) break;
    inner.push(content);
  }
  return { kind: "quote", blocks: parseBlocks(inner.join("\n"), depth + 1) };
}

const isOrdered = (line: string) => /^ *\d/.test(line);

function readList(input: Lines, depth: number): Block {
  const first = input.lines[input.at]!;
  const ordered = isOrdered(first);
  const items: (readonly Block[])[] = [];
  for (let next = first; ITEM.test(next) && isOrdered(next) === ordered; next = input.lines[input.at] ?? "") {
    items.push(parseBlocks(readItem(input), depth + 1));
    while (input.lines[input.at] === "" && ITEM.test(input.lines[input.at + 1] ?? "")) input.at += 1;
  }
  return { kind: "list", ordered, start: Number.parseInt(first) || 1, items };
}

/** One item's text, with the lines that are indented under it, or simply run on. */
function readItem(input: Lines): string {
  const [, marker, content] = ITEM.exec(input.lines[input.at]!)!;
  const indent = new RegExp(`^ {1,${marker!.length}}`);
  const inner = [content!];
  for (input.at += 1; input.at < input.lines.length; input.at += 1) {
    const line = input.lines[input.at]!;
    const next = input.lines[input.at + 1] ?? "";
    const belongs = line === "" ? next.startsWith("  ") : line.startsWith("  ") || !startsBlock(line);
    if (!belongs) break;
    inner.push(line.replace(indent, ""));
  }
  return inner.join("\n");
}

const cellsOf = (line: string) =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => parseInline(cell.trim().replaceAll("\\|", "|")));

function startsTable(input: Lines): boolean {
  return input.lines[input.at]!.includes("|") && TABLE_RULE.test(input.lines[input.at + 1] ?? "");
}

function readTable(input: Lines): Block {
  const head = cellsOf(input.lines[input.at]!);
  const rows: (readonly (readonly Inline[])[])[] = [];
  for (input.at += 2; input.lines[input.at]?.includes("|"); input.at += 1) {
    const cells = cellsOf(input.lines[input.at]!);
    rows.push(head.map((_, column) => cells[column] ?? []));
  }
  return { kind: "table", head, rows };
}

function startsBlock(line: string): boolean {
  return [FENCE, HEADING, RULE, ITEM, QUOTE].some((pattern) => pattern.test(line));
}

function readParagraph(input: Lines): Block {
  const text = [input.lines[input.at]!.trim()];
  for (input.at += 1; input.at < input.lines.length; input.at += 1) {
    const line = input.lines[input.at]!;
    if (line.trim() === "" || startsBlock(line) || startsTable(input)) break;
    text.push(line.trim());
  }
  return { kind: "paragraph", content: parseInline(text.join("\n")) };
}
