import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type Scalar,
  type YAMLError,
  type YAMLMap,
} from "yaml";

import {
  childPointer,
  keyFault,
  MAX_DEPTH,
  MAX_VALUES,
  type ReadDocument,
  type ReadFault,
  textFault,
  TOO_DEEP,
  TOO_MANY_VALUES,
} from "./read-document.ts";

/** Reads the documents of a YAML 1.2 stream (JSON included), without empty ones. Never throws. */
export function readYaml(text: string): ReadDocument[] {
  try {
    // The composer compares each field's name with all before it, which takes minutes for ten thousand names; `plainMap` uses a set
    // instead.
    const composer = new Composer({ uniqueKeys: false, logLevel: "silent" });
    const openQuotes: OpenQuotes = new Map();
    const documents: Document[] = [...composer.compose(boundedTokens(text, openQuotes))];
    return documents
      .filter((document) => document.errors.length > 0 || !isEmpty(document.contents))
      .map((document) => readOne(document, openQuotes));
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    return [broken([{ offset: 0, message: error.message }])];
  }
}

/** Ends the reading of a text before the rest of it takes memory. */
class TooMuch extends Error {}

/** A field in YAML is seven lexemes (`name`, `:`, a space, a value, the line's end, and two marks); an entry is six. */
const MAX_LEXEMES = 6 * MAX_VALUES;

/** Positions of quotes that are never closed, by the offset at which the lexer stopped. */
type OpenQuotes = Map<number, number>;

/** Whether a lexeme is a text with an unclosed quote. */
const isOpenQuote = (lexeme: string): boolean =>
  /^["']/.test(lexeme) && (lexeme.length === 1 || lexeme.at(-1) !== lexeme[0]);

/**
 * @param openQuotes receives the unclosed quotes.
 * @throws TooMuch if the text is nested too deeply, or too large.
 */
function* boundedTokens(text: string, openQuotes: OpenQuotes): Generator<CST.Token> {
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > MAX_LEXEMES) throw new TooMuch(TOO_MANY_VALUES);
    if (isOpenQuote(lexeme)) openQuotes.set(parser.offset + lexeme.length, parser.offset);
    yield* parser.next(lexeme);
    // For slightly too deep documents, `toPlain` reports the place.
    if (parser.stack.length > 2 * MAX_DEPTH) throw new TooMuch(TOO_DEEP);
  }
  yield* parser.end();
}

function isEmpty(contents: Document["contents"]): boolean {
  return contents === null || (isScalar(contents) && contents.value === null);
}

function readOne(document: Document, openQuotes: OpenQuotes): ReadDocument {
  // Only the first syntax error is reported: later ones are mostly caused by it.
  const [error] = document.errors;
  if (error) return broken([syntaxFault(error, openQuotes)]);
  const walk: Walk = {
    places: new Map(),
    faults: [],
    cut: false,
    anchors: new Map(),
    targets: new Map(),
    aliasSize: 0,
  };
  const value = toPlain(document.contents, "", undefined, walk, { depth: 0, aliased: false });
  return { value, places: walk.places, faults: walk.faults, state: walk.cut ? "cut" : "whole" };
}

function broken(faults: ReadFault[]): ReadDocument {
  return { value: undefined, places: new Map(), faults, state: "broken" };
}

const SENTENCES: Partial<Record<YAMLError["code"], string>> = {
  TAB_AS_INDENT: "a tab indents this line; YAML wants spaces",
  BLOCK_AS_IMPLICIT_KEY: "text that contains `: ` must stand in quotes",
  MULTILINE_IMPLICIT_KEY:
    "this line is neither a field (`name: value`) nor a list entry (`- value`) of what is above it",
  BAD_ALIAS: "this alias names no anchor",
};

function syntaxFault({ pos: [offset], code, message }: YAMLError, openQuotes: OpenQuotes): ReadFault {
  const opened = code === "MISSING_CHAR" ? openQuotes.get(offset) : undefined;
  if (opened !== undefined) {
    return { offset: opened, message: "not valid YAML: the quote that opens here is not closed" };
  }
  const sentence = SENTENCES[code] ?? message.charAt(0).toLowerCase() + message.slice(1);
  return { offset, message: `not valid YAML: ${sentence}` };
}

interface Walk {
  places: ReadDocument["places"];
  faults: ReadFault[];
  cut: boolean;
  anchors: Map<string, Node>;
  /** The target of each alias, bound at its first use. */
  targets: Map<Alias, Node>;
  /** Size of all expanded aliases: their characters, plus 16 per value. */
  aliasSize: number;
}

interface Level {
  depth: number;
  /** Whether the node being read belongs to the value of an alias. */
  aliased: boolean;
}

const MAX_ALIAS_SIZE = 1_000_000;
const SIZE_OF_VALUE = 16;

/** The plain data of a node, with aliases expanded; if that is impossible, records a fault and returns undefined. */
function toPlain(node: unknown, pointer: string, key: number | undefined, walk: Walk, level: Level): unknown {
  const { range, anchor, tag } = (node ?? {}) as Node & { anchor?: string };
  const offset = range?.[0] ?? key ?? 0;
  walk.places.set(pointer, key === undefined ? { value: offset } : { key, value: offset });
  if (anchor !== undefined) walk.anchors.set(anchor, node as Node);
  if (level.depth > MAX_DEPTH) return cut(walk, offset, TOO_DEEP);
  if (tag !== undefined && !PLAIN_TAG.test(tag)) {
    return cut(walk, offset, `the tag \`${tag}\` has no meaning here; remove it`);
  }
  if (level.aliased && !fits(node, walk)) return cut(walk, offset, TOO_MANY_ALIASES);
  if (isAlias(node)) return aliased(node, pointer, key, walk, level);
  const below = { ...level, depth: level.depth + 1 };
  if (isMap(node)) return plainMap(node, pointer, walk, below);
  if (isSeq(node)) {
    return node.items.map((item, index) =>
      toPlain(item, childPointer(pointer, index), undefined, walk, below),
    );
  }
  return isScalar(node) ? plainScalar(node, offset, walk) : null;
}

function cut(walk: Walk, offset: number, message: string): undefined {
  walk.cut = true;
  if (!walk.faults.some((fault) => fault.message === message)) walk.faults.push({ offset, message });
}

const TOO_MANY_ALIASES = "aliases make this document too large; write out what they stand for, or use fewer";

function fits(node: unknown, walk: Walk): boolean {
  walk.aliasSize += SIZE_OF_VALUE;
  if (isScalar(node) && typeof node.value === "string") walk.aliasSize += node.value.length;
  return walk.aliasSize <= MAX_ALIAS_SIZE;
}

const PLAIN_TAG = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;

function aliased(alias: Alias, pointer: string, key: number | undefined, walk: Walk, level: Level): unknown {
  const target = walk.targets.get(alias) ?? walk.anchors.get(alias.source);
  if (target === undefined) {
    return cut(walk, alias.range?.[0] ?? 0, `no anchor \`&${alias.source}\` stands before this alias`);
  }
  walk.targets.set(alias, target);
  return toPlain(target, pointer, key, walk, { depth: level.depth + 1, aliased: true });
}

function plainMap(map: YAMLMap, pointer: string, walk: Walk, level: Level): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const { key, value } of map.items) {
    const offset = (key as Node | null)?.range?.[0] ?? 0;
    if (!isScalar(key)) {
      cut(walk, offset, "a field's name must be plain text");
      continue;
    }
    const name = String(key.value);
    const message = keyFault(name) ?? (fields.has(name) ? givenTwice(name) : undefined);
    // Faults in an alias's target are reported at the target.
    if (message !== undefined && !level.aliased) walk.faults.push({ offset, message });
    fields.set(name, toPlain(value, childPointer(pointer, name), offset, walk, level));
  }
  return Object.fromEntries(fields);
}

function givenTwice(name: string): string {
  return `the field \`${name.slice(0, 80)}\` is given twice; keep one`;
}

function plainScalar({ value }: Scalar, offset: number, walk: Walk): unknown {
  const message = typeof value === "string" ? textFault(value) : undefined;
  if (message !== undefined) walk.faults.push({ offset, message });
  if (typeof value === "number" && !Number.isFinite(value))
    return cut(walk, offset, "a number must be finite");
  return value;
}
