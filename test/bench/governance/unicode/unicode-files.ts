import { readFileSync } from "node:fs";

/** One character of UnicodeData.txt. */
export interface NamedCharacter {
  character: string;
  name: string;
}

const fromHex = (codes: string): string =>
  String.fromCodePoint(
    ...codes
      .trim()
      .split(/\s+/)
      .map((code) => Number.parseInt(code, 16)),
  );

/** Reads confusables.txt (UTS #39): a character and the shape that Unicode says it can be taken for. */
export function readConfusables(file: string): Map<string, string> {
  const lines = readFileSync(file, "utf8")
    .replace(/^\ufeff/, "")
    .split("\n");
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const [source, target] = line.replace(/#.*/, "").split(";");
      return source === undefined || target === undefined ? [] : [[fromHex(source), fromHex(target)]];
    }),
  );
}

/** Reads UnicodeData.txt (UAX #44): every character that has a name of its own. */
export function readNames(file: string): NamedCharacter[] {
  return readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(";"))
    .filter(([, name]) => name !== undefined && !name.startsWith("<"))
    .map(([code, name]) => ({ character: fromHex(code!), name: name! }));
}
