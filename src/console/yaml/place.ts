import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** A path in a document: field names and list positions, from the root. */
export type Path = readonly (string | number)[];

/** Lines of a text, from 1, inclusive. */
export interface Lines {
  from: number;
  to: number;
}

/** Parses one YAML document; undefined if it has a mistake. */
export function readDocument(text: string): Document | undefined {
  const document = parseDocument(text, { logLevel: "silent" });
  return document.errors.length === 0 ? document : undefined;
}

/** The value of a text; undefined if it has a mistake. */
export function readValue(text: string): unknown {
  const document = readDocument(text);
  if (document === undefined) return undefined;
  try {
    return document.toJS();
  } catch (error) {
    // An undefined anchor, or aliases that expand beyond the library's limit.
    if (error instanceof ReferenceError) return undefined;
    throw error;
  }
}

/** Remembers what was made of the latest text: every field of a form asks about the same one. */
function ofLatest<Result>(make: (text: string) => Result): (text: string) => Result {
  let latest: { text: string; result: Result } | undefined;
  return (text) => {
    if (latest?.text !== text) latest = { text, result: make(text) };
    return latest.result;
  };
}

/** As `readValue`, of a text that is shown; what it gives is not to be changed. */
export const shownValue = ofLatest(readValue);
const shownDocument = ofLatest(readDocument);

export function keyOf(pair: Pair): string {
  return isScalar(pair.key) ? String(pair.key.value) : "";
}

export function pairOf(map: YAMLMap, key: string): Pair<Node, Node | null> | undefined {
  return map.items.find((pair) => keyOf(pair) === key) as Pair<Node, Node | null> | undefined;
}

/** The node at a path; undefined if there is none. Aliases are not followed, because their value is written elsewhere. */
export function nodeAt(document: Document, path: Path): Node | undefined {
  let node: unknown = document.contents;
  for (const step of path) {
    if (isMap(node)) node = pairOf(node, String(step))?.value;
    else if (isSeq(node)) node = node.items[Number(step)];
    else return undefined;
  }
  return isNode(node) ? node : undefined;
}

/** Whether a path is inside `{…}` or `[…]`. */
export function isInFlow(document: Document, path: Path): boolean {
  return path.some((_, depth) => {
    const node = nodeAt(document, path.slice(0, depth));
    return (isMap(node) || isSeq(node)) && node.flow === true;
  });
}

/** End of a node's text, without the comment and line break after it. */
export function contentEnd(text: string, node: Node): number {
  const [, end] = node.range!;
  if ((isMap(node) || isSeq(node)) && node.flow !== true) {
    const last = lastChild(node);
    return last === undefined ? end : contentEnd(text, last);
  }
  const isBlockText = isScalar(node) && (node.type === "BLOCK_FOLDED" || node.type === "BLOCK_LITERAL");
  return isBlockText ? end - (/\r?\n$/.exec(text.slice(node.range![0], end))?.[0].length ?? 0) : end;
}

function lastChild(node: YAMLMap | YAMLSeq): Node | undefined {
  const last: unknown = node.items.at(-1);
  if (!isPair(last)) return isNode(last) ? last : undefined;
  return isNode(last.value) ? last.value : isNode(last.key) ? last.key : undefined;
}

/** End of the line of a position. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  if (end < 0) return text.length;
  return text[end - 1] === "\r" && end > at ? end - 1 : end;
}

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf("\n", at - 1) + 1;
}

/** The text before a position on its line. */
export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

function lineNumber(text: string, at: number): number {
  let line = 1;
  for (let found = text.indexOf("\n"); found >= 0 && found < at; found = text.indexOf("\n", found + 1))
    line++;
  return line;
}

/** A stretch of a text, in UTF-16 units. */
interface Stretch {
  from: number;
  to: number;
}

/** The text that a place takes up, its name included; undefined if nothing stands there. */
function stretchOf(text: string, path: Path): Stretch | undefined {
  const document = shownDocument(text);
  if (document === undefined) return undefined;
  const node = nodeAt(document, path);
  if (!node?.range) return undefined;
  const parent = nodeAt(document, path.slice(0, -1));
  const key = isMap(parent) ? pairOf(parent, String(path.at(-1)))?.key : undefined;
  const from = key?.range?.[0] ?? node.range[0];
  const to = isAlias(node) ? node.range[1] : contentEnd(text, node);
  return { from, to: Math.max(from, to) };
}

/** The lines of a place, its name included; undefined if nothing stands there. */
export function linesOf(text: string, path: Path): Lines | undefined {
  const stretch = stretchOf(text, path);
  return stretch && { from: lineNumber(text, stretch.from), to: lineNumber(text, stretch.to) };
}

/** Whether a position, both from 1, is within a place. Without a column, a line is where one of its characters is. */
export function isWithin(
  text: string,
  path: Path,
  { line, column }: { line: number; column?: number },
): boolean {
  const stretch = stretchOf(text, path);
  if (stretch === undefined) return false;
  if (column === undefined)
    return line >= lineNumber(text, stretch.from) && line <= lineNumber(text, stretch.to);
  const start = text.split("\n", line - 1).reduce((length, before) => length + before.length + 1, 0);
  const at = start + column - 1;
  return at >= stretch.from && at <= stretch.to;
}
