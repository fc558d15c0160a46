import type { PersonalDataKind } from "../../domain/personal-data.ts";
import { findPersonalData } from "../../text/personal-data.ts";
import { withSpelledDigits } from "./spelled-digits.ts";

/** Letters that look like digits, between digits: "4III IIII", "4OOO". */
const AMONG_DIGITS = /(?<![\p{L}\p{N}])[0-9OoIil|](?:[\s\p{Pd}.]?[0-9OoIil|]){7,}(?![\p{L}\p{N}])/gu;
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: "0", o: "0", I: "1", i: "1", l: "1", "|": "1" };

/** The first kind of personal data in a text, in its original form or with disguised digits. */
export function findPattern(text: string, kinds: readonly PersonalDataKind[]): PersonalDataKind | undefined {
  if (kinds.length === 0) return undefined;
  for (const reading of readingsOf(text)) {
    const [found] = findPersonalData(reading, kinds);
    if (found !== undefined) return found.kind;
  }
  return undefined;
}

/** The text; then, if it has any, the text with compatibility forms, spelled digits and look-alike digits replaced. */
function* readingsOf(text: string): Generator<string> {
  yield text;
  const plain = text.normalize("NFKC");
  if (plain !== text) yield plain;
  const spelled = withSpelledDigits(plain);
  if (spelled !== undefined) yield spelled;
  if (!/\d/.test(plain)) return;
  const asDigits = plain.replaceAll(AMONG_DIGITS, (run) =>
    run.replaceAll(/[OoIil|]/g, (letter) => LOOK_ALIKES[letter]!),
  );
  if (asDigits !== plain) yield asDigits;
}
