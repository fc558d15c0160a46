import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

import {
  columnOf,
  contentEnd,
  isInFlow,
  keyOf,
  lineEnd,
  lineStart,
  nodeAt,
  pairOf,
  type Path,
  readDocument,
  readValue,
} from "./place.ts";
import { type Edit, editPlain, isFields, isSame, valueAt } from "./plain.ts";

/** A replacement in a text. */
interface Splice {
  from: number;
  to: number;
  text: string;
}

/** The preferred order of the fields at a path; undefined: new fields go to the end. */
export type OrderOf = (path: Path) => readonly string[] | undefined;

/** Column at which folded text is wrapped. */
const FOLD_AT = 100;

/**
 * Edits a YAML text and keeps every other byte. Undefined if the text has a mistake, or if the place is reached through an alias. The
 * result is parsed and compared with the intended value; if they differ, the library writes the whole document instead, which keeps
 * comments and field order but may change whitespace.
 */
export function editYaml(text: string, asked: Edit, orderOf: OrderOf = () => undefined): string | undefined {
  const document = readDocument(text);
  const before = readValue(text);
  if (document === undefined || before === undefined) return undefined;
  const wanted = editPlain(before, asked);
  if (isSame(before, wanted)) return text;
  const edit = takingThePlaceOf(before, asked, wanted);
  const splice = spliceFor({ text, document, before, orderOf }, edit);
  const spliced = splice && text.slice(0, splice.from) + splice.text + text.slice(splice.to);
  if (spliced !== undefined && isSame(readValue(spliced), wanted)) return spliced;
  return rewritten(document, edit, wanted);
}

/** Sets the same value at several existing places, all or none; undefined as above. */
export function setEach(text: string, paths: readonly Path[], value: unknown): string | undefined {
  const document = readDocument(text);
  const before = readValue(text);
  if (document === undefined || before === undefined) return undefined;
  const editing = { text, document, before, orderOf: () => undefined };
  const splices = paths.map((path) => setAt(editing, path, value)).filter((splice) => splice !== undefined);
  if (splices.length < paths.length) return undefined;
  // From the end, so that earlier positions stay valid.
  const edited = splices
    .toSorted((one, other) => other.from - one.from)
    .reduce((done, splice) => done.slice(0, splice.from) + splice.text + done.slice(splice.to), text);
  const wanted = paths.reduce<unknown>(
    (plain, path) => editPlain(plain, { kind: "set", path, value }),
    before,
  );
  return isSame(readValue(edited), wanted) ? edited : undefined;
}

/** Setting a field in a scalar such as `handoff: true` replaces the scalar by a map. */
function takingThePlaceOf(before: unknown, edit: Edit, wanted: unknown): Edit {
  const prefixes = edit.path.map((_, depth) => edit.path.slice(0, depth)).slice(1);
  const path = prefixes.find((prefix) => {
    const value = valueAt(before, prefix);
    return value !== undefined && !isFields(value) && !Array.isArray(value);
  });
  return path === undefined ? edit : { kind: "set", path, value: valueAt(wanted, path) };
}

/** The whole document, written by the library. */
function rewritten(document: Document, edit: Edit, wanted: unknown): string | undefined {
  try {
    const path = [...edit.path];
    const value = valueAt(wanted, path);
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, document.createNode(value));
    const text = document.toString({ lineWidth: 0 });
    return isSame(readValue(text), wanted) ? text : undefined;
  } catch {
    // The library does not write through aliases. The caller reports that a form cannot edit the place.
    return undefined;
  }
}

interface Editing {
  text: string;
  document: Document;
  before: unknown;
  orderOf: OrderOf;
}

function spliceFor(editing: Editing, edit: Edit): Splice | undefined {
  if (edit.kind === "set") return setAt(editing, edit.path, edit.value);
  return edit.kind === "append" ? appendAt(editing, edit.path, edit.values) : removeAt(editing, edit.path);
}

function render(value: unknown, style: object = {}): string {
  return stringify(value, { lineWidth: 0, ...style }).replace(/\n$/, "");
}

/** On one line, without the line break at the end. */
function renderInFlow(value: unknown): string {
  return render(value, { collectionStyle: "flow", flowCollectionPadding: false });
}

/** Indents all lines but the first, with the line breaks of the text. */
function moved(rendered: string, columns: number, text: string): string {
  const indented = rendered.replaceAll(/\n(?!\n|$)/g, `\n${" ".repeat(columns)}`);
  return text.includes("\r\n") ? indented.replaceAll("\n", "\r\n") : indented;
}

function setAt(editing: Editing, path: Path, value: unknown): Splice | undefined {
  const { document } = editing;
  const key = path.at(-1);
  if (key === undefined) return undefined;
  const parentPath = path.slice(0, -1);
  const parent = nodeAt(document, parentPath);
  if (!isMap(parent) && !isSeq(parent)) {
    const isMissing = valueAt(editing.before, parentPath) == null && typeof key === "string";
    return isMissing ? setAt(editing, parentPath, { [key]: value }) : undefined;
  }
  if (isSeq(parent)) return replaceItem(editing, parent, path, value);
  const pair = pairOf(parent, String(key));
  return pair === undefined
    ? insertPair(editing, parent, path, value)
    : replaceValue(editing, parent, pair, path, value);
}

/** The scalar style of a node, to write its new value the same way. */
function styleOf(node: Node | null): object {
  if (!isScalar(node) || typeof node.value !== "string" || node.type === "PLAIN") return {};
  const blockQuote = node.type === "BLOCK_FOLDED" ? "folded" : true;
  return { defaultStringType: node.type, defaultKeyType: "PLAIN", lineWidth: FOLD_AT, blockQuote };
}

function replaceValue(
  editing: Editing,
  map: YAMLMap,
  pair: Pair<Node, Node | null>,
  path: Path,
  value: unknown,
): Splice {
  const { text } = editing;
  const node = pair.value;
  const isFlow = isInFlow(editing.document, path);
  if (isFlow && node) return { from: node.range![0], to: node.range![1], text: renderInFlow(value) };
  const [, keyEnd] = pair.key.range!;
  const afterColon = text.indexOf(":", keyEnd) + 1;
  const rendered = render({ k: value }, styleOf(node)).slice("k:".length);
  const columns = columnOf(text, map.range![0]);
  // A value on the same line keeps the spaces before it; a list or map starts on a new line.
  const isInLine = isScalar(node) && !rendered.startsWith("\n") && node.range![0] > afterColon;
  const from = isInLine ? node.range![0] : afterColon;
  // Without a value, the rest of the line is a comment.
  const isWritten = node !== null && node.range![1] > node.range![0];
  const to = isWritten ? Math.max(contentEnd(text, node), afterColon) : afterColon;
  return { from, to, text: moved(isInLine ? rendered.trimStart() : rendered, columns, text) };
}

function replaceItem(editing: Editing, list: YAMLSeq, path: Path, value: unknown): Splice | undefined {
  const { text } = editing;
  const node = nodeAt(editing.document, path);
  if (!node?.range) return undefined;
  if (isInFlow(editing.document, path))
    return { from: node.range[0], to: node.range[1], text: renderInFlow(value) };
  const rendered = render([value], styleOf(node)).slice("- ".length);
  const columns = columnOf(text, list.range![0]);
  return { from: node.range[0], to: contentEnd(text, node), text: moved(rendered, columns, text) };
}

function insertPair(editing: Editing, map: YAMLMap, path: Path, value: unknown): Splice {
  const { text } = editing;
  const key = String(path.at(-1));
  if (map.flow === true || map.items.length === 0) {
    const pair = renderInFlow({ [key]: value }).slice(1, -1);
    return insertInFlow(text, map, pair, "{");
  }
  const before = pairBefore(map, key, editing.orderOf(path.slice(0, -1)));
  const columns = columnOf(text, map.range![0]);
  const at = lineEnd(text, endOfPair(text, before));
  const isRoot = path.length === 1;
  const gap = isRoot && typeof value === "object" ? "\n\n" : "\n";
  return { from: at, to: at, text: moved(`${gap}${render({ [key]: value })}`, columns, text) };
}

/** The field after which a new one is placed. */
function pairBefore(map: YAMLMap, key: string, order: readonly string[] = []): Pair {
  const rank = order.indexOf(key);
  const earlier = map.items.filter((pair) => {
    const other = order.indexOf(keyOf(pair));
    return other >= 0 && other < rank;
  });
  return (rank < 0 ? undefined : earlier.at(-1)) ?? map.items.at(-1)!;
}

function endOfPair(text: string, pair: Pair): number {
  const { key, value } = pair as Pair<Node, Node | null>;
  return value ? contentEnd(text, value) : key.range![1];
}

/** Adds to `[…]` or `{…}`, at the end. */
function insertInFlow(text: string, node: YAMLMap | YAMLSeq, rendered: string, open: "[" | "{"): Splice {
  const [from, to] = node.range!;
  const last: unknown = node.items.at(-1);
  if (last === undefined) return { from, to, text: open === "[" ? `[${rendered}]` : `{ ${rendered} }` };
  const end = open === "{" ? endOfPair(text, last as Pair) : (last as Node).range![1];
  return { from: end, to: end, text: `, ${rendered}` };
}

function appendAt(editing: Editing, path: Path, values: readonly unknown[]): Splice | undefined {
  const { text, document } = editing;
  const list = nodeAt(document, path);
  if (!isSeq(list) || list.items.length === 0) return setAt(editing, path, [...values]);
  if (list.flow === true) return insertInFlow(text, list, renderInFlow(values).slice(1, -1), "[");
  const last = list.items.at(-1) as Node;
  const at = lineEnd(text, contentEnd(text, last));
  const gap = hasGaps(text, list) ? "\n\n" : "\n";
  const rendered = values.map((value) => `${gap}${render([value])}`).join("");
  return { from: at, to: at, text: moved(rendered, columnOf(text, list.range![0]), text) };
}

/** Whether the last two entries of a list have an empty line between them. */
function hasGaps(text: string, list: YAMLSeq): boolean {
  const [one, other] = list.items.slice(-2) as Node[];
  if (one === undefined || other === undefined) return false;
  return /\n[ \t\r]*\n/.test(text.slice(contentEnd(text, one), other.range![0]));
}

function removeAt(editing: Editing, path: Path): Splice | undefined {
  const parentPath = path.slice(0, -1);
  const parent = nodeAt(editing.document, parentPath);
  if (isSeq(parent)) return removeItem(editing, parent, parentPath, Number(path.at(-1)));
  if (!isMap(parent)) return undefined;
  const isLast = parent.items.length === 1 && typeof parentPath.at(-1) === "string";
  return isLast ? removeAt(editing, parentPath) : removePair(editing, parent, String(path.at(-1)));
}

function removeItem(editing: Editing, list: YAMLSeq, path: Path, at: number): Splice | undefined {
  if (list.items.length === 1) return setAt(editing, path, []);
  const { text } = editing;
  const items = list.items as Node[];
  const node = items[at];
  if (node === undefined) return undefined;
  if (list.flow === true) return removeInFlow(items, at);
  return wholeLines(text, text.lastIndexOf("-", node.range![0] - 1), contentEnd(text, node));
}

function removePair(editing: Editing, map: YAMLMap, key: string): Splice | undefined {
  const { text } = editing;
  const at = map.items.findIndex((pair) => keyOf(pair) === key);
  const pair = map.items[at] as Pair<Node, Node | null> | undefined;
  if (pair === undefined) return undefined;
  if (map.flow === true) return removePairInFlow(text, map, at);
  const [from] = pair.key.range!;
  const next = map.items[at + 1] as Pair<Node> | undefined;
  const isFirstInItem = text.slice(lineStart(text, from), from).trim() !== "";
  if (isFirstInItem && next) return { from, to: next.key.range![0], text: "" };
  return wholeLines(text, from, endOfPair(text, pair));
}

function removeInFlow(items: readonly Node[], at: number): Splice {
  const next = items[at + 1];
  if (next) return { from: items[at]!.range![0], to: next.range![0], text: "" };
  return { from: items[at - 1]!.range![1], to: items[at]!.range![1], text: "" };
}

function removePairInFlow(text: string, map: YAMLMap, at: number): Splice {
  const pairs = map.items as Pair<Node, Node | null>[];
  const next = pairs[at + 1];
  if (next) return { from: pairs[at]!.key.range![0], to: next.key.range![0], text: "" };
  const from = at === 0 ? pairs[0]!.key.range![0] : endOfPair(text, pairs[at - 1]!);
  return { from, to: endOfPair(text, pairs[at]!), text: "" };
}

/** All lines that a range touches, with their comments. */
function wholeLines(text: string, from: number, to: number): Splice {
  const end = text.indexOf("\n", to);
  return { from: lineStart(text, from), to: end < 0 ? text.length : end + 1, text: "" };
}

/** Whether forms can edit this text: it parses as the fields of one bot. */
export function isEditable(text: string): boolean {
  return isFields(readValue(text));
}
