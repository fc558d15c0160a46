import { LineCounter, type Node, type ParsedNode, isMap, isScalar, isSeq, parseDocument } from "yaml";

/** One entry of a config file. */
export interface FileEntry {
  key: string;
  /** Scalars as written; a list's items joined by commas. */
  text: string;
  /** `file:line:column` of the key. */
  place: string;
}

/**
 * The top-level entries of a YAML config file, in order.
 *
 * @throws Error with a one-line message that starts with the place of the fault.
 */
export function parseConfigFile(path: string, source: string): FileEntry[] {
  const lineCounter = new LineCounter();
  const { contents, errors } = parseDocument(source, { lineCounter, prettyErrors: false });
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
    return { key: name, place, text: plainText(value, `${place}: ${name}`) };
  });
}

function plainText(value: Node | null, subject: string): string {
  if (value === null) return "";
  if (isScalar(value)) return value.value === null ? "" : (value.source ?? "");
  if (isSeq(value) && value.items.every(isScalar)) return value.items.map((item) => item.source).join(",");
  throw new Error(`${subject}: should be one value or a list of values`);
}
