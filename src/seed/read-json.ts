import {
  childPointer,
  keyFault,
  MAX_DEPTH,
  MAX_VALUES,
  type ReadDocument,
  textFault,
  TOO_DEEP,
  TOO_MANY_VALUES,
} from "./read-document.ts";

/** Reads a JSON text (RFC 8259) strictly: no comments, no trailing commas, no repeated names. Never throws. */
export function readJson(text: string): ReadDocument[] {
  const reader: Reader = { text, offset: 0, places: new Map(), faults: [] };
  skipSpace(reader);
  if (reader.offset === text.length) return [];
  try {
    const value = readValue(reader, "", 0, undefined);
    skipSpace(reader);
    if (reader.offset < text.length) stop(reader, "one JSON value is enough; remove what follows it");
    return [{ value, places: reader.places, faults: reader.faults, state: "whole" }];
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    const fault = { offset: error.offset, message: error.message };
    return [{ value: undefined, places: reader.places, faults: [...reader.faults, fault], state: "broken" }];
  }
}

interface Reader {
  text: string;
  offset: number;
  places: ReadDocument["places"];
  faults: ReadDocument["faults"];
}

class Stop extends Error {
  readonly offset: number;
  constructor(offset: number, message: string) {
    super(message);
    this.offset = offset;
  }
}

function stop(reader: Reader, message: string, offset = reader.offset): never {
  throw new Stop(offset, message);
}

function skipSpace(reader: Reader): void {
  SPACE.lastIndex = reader.offset;
  SPACE.test(reader.text);
  reader.offset = SPACE.lastIndex;
}

const SPACE = /[ \t\r\n]*/y;
const WORD = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function readValue(reader: Reader, pointer: string, depth: number, key: number | undefined): unknown {
  const { text, offset } = reader;
  reader.places.set(pointer, key === undefined ? { value: offset } : { key, value: offset });
  if (depth > MAX_DEPTH) stop(reader, TOO_DEEP);
  if (reader.places.size > MAX_VALUES) stop(reader, TOO_MANY_VALUES);
  if (text[offset] === "{") return readObject(reader, pointer, depth);
  if (text[offset] === "[") return readArray(reader, pointer, depth);
  if (text[offset] === '"') return readText(reader, textFault);
  return readWord(reader);
}

function readWord(reader: Reader): unknown {
  WORD.lastIndex = reader.offset;
  const word = WORD.exec(reader.text)?.[0];
  if (word === undefined) stop(reader, `not valid JSON: ${found(reader)} where a value should be`);
  const value: unknown = JSON.parse(word);
  if (value === Infinity || value === -Infinity) {
    reader.faults.push({ offset: reader.offset, message: "this number is too large" });
  }
  reader.offset += word.length;
  return value;
}

function found({ text, offset }: Reader): string {
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return offset >= text.length ? "the text ends" : `\`${character}\` stands`;
}

function readText(reader: Reader, faultOf: (text: string) => string | undefined): string {
  const start = reader.offset;
  const end = closingQuote(reader.text, start);
  if (end === undefined) stop(reader, 'not valid JSON: this text has no closing `"`');
  reader.offset = end + 1;
  try {
    const text = JSON.parse(reader.text.slice(start, end + 1)) as string;
    const message = faultOf(text);
    if (message !== undefined) reader.faults.push({ offset: start, message });
    return text;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return stop(
      reader,
      "not valid JSON: a text may not span lines, and `\\` begins an escape such as `\\n`",
      start,
    );
  }
}

function closingQuote(text: string, start: number): number | undefined {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at;
    else if (text[at] === "\n") return at;
  }
  return undefined;
}

function readArray(reader: Reader, pointer: string, depth: number): unknown[] {
  const items: unknown[] = [];
  readItems(reader, "]", () => {
    items.push(readValue(reader, childPointer(pointer, items.length), depth + 1, undefined));
  });
  return items;
}

function readObject(reader: Reader, pointer: string, depth: number): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  readItems(reader, "}", () => {
    const offset = reader.offset;
    if (reader.text[offset] !== '"')
      stop(reader, `not valid JSON: ${found(reader)} where a name in quotes should be`);
    const name = readText(reader, keyFault);
    if (fields.has(name))
      reader.faults.push({ offset, message: `the field \`${name}\` is given twice; keep one` });
    skipSpace(reader);
    if (reader.text[reader.offset] !== ":")
      stop(reader, `not valid JSON: ${found(reader)} where \`:\` should be`);
    reader.offset++;
    skipSpace(reader);
    fields.set(name, readValue(reader, childPointer(pointer, name), depth + 1, offset));
  });
  return Object.fromEntries(fields);
}

/** Reads the items between brackets and the commas between them. */
function readItems(reader: Reader, close: "]" | "}", readItem: () => void): void {
  reader.offset++;
  skipSpace(reader);
  let comma: number | undefined;
  while (reader.text[reader.offset] !== close || comma !== undefined) {
    if (reader.text[reader.offset] === close) stop(reader, "not valid JSON: a comma too many", comma);
    readItem();
    skipSpace(reader);
    comma = reader.text[reader.offset] === "," ? reader.offset++ : undefined;
    if (comma === undefined && reader.text[reader.offset] !== close) {
      stop(reader, `not valid JSON: ${found(reader)} where \`,\` or \`${close}\` should be`);
    }
    skipSpace(reader);
  }
  reader.offset++;
}
