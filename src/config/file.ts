import { LineCounter, type Node, type ParsedNode, isMap, isScalar, isSeq, parseDocument } from "yaml";

/** One entry of a config file. */
export interface FileEntry {
  key: string;
  /** Scalars as written; a list's items joined by commas; a section as JSON. */
  text: string;
  /** `file:line:column` of the key. */
  place: string;
}

/** The keys of a config file; `sections` are those of the `names` with more than a value or a flat list. */
export interface KnownKeys {
  names: readonly string[];
  sections: readonly string[];
}

/**
 * The top-level entries of a YAML config file, in order. What an unknown key holds is not looked at.
 *
 * @throws Error with a one-line message that starts with the place of the fault.
 */
export function parseConfigFile(path: string, source: string, { names, sections }: KnownKeys): FileEntry[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(source, { lineCounter, prettyErrors: false });
  const { contents, errors } = document;
  const placeAt = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const [fault] = errors;
  if (fault) throw new Error(`${placeAt(fault.pos[0])}: ${fault.message}`);
  if (contents === null) return [];
  if (!isMap<ParsedNode, ParsedNode | null>(contents)) {
    throw new Error(`${path}: should list settings, as in \`port: 8787\``);
  }
  return contents.items.map(({ key, value }) => {
    const place = placeAt(key.range[0]);
    const name = isScalar(key) ? String(key.value) : key.toString();
    if (!names.includes(name)) return { key: name, place, text: "" };
    const isSection = sections.includes(name) && isMap(value);
    const text = isSection ? JSON.stringify(value.toJS(document)) : plainText(value, `${place}: ${name}`);
    return { key: name, place, text };
  });
}

function plainText(value: Node | null, subject: string): string {
  if (value === null) return "";
  if (isScalar(value)) return value.value === null ? "" : (value.source ?? "");
  if (isSeq(value) && value.items.every(isScalar)) return value.items.map((item) => item.source).join(",");
  throw new Error(`${subject}: should be one value or a list of values`);
}
