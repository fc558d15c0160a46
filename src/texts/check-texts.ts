import type { BotProblem } from "../domain/bot.ts";
import { didYouMean } from "../domain/closest-name.ts";
import { type BotTexts, TEXT_KEYS, TEXT_LANGUAGES, type TextKey } from "../domain/texts.ts";
import english from "./wordings/en.ts";

/** What is filled in everywhere. */
const EVERYWHERE = ["botName"];

const variablesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

/** Warns of variables in an operator's wording that nothing fills in: they are shown as they stand. */
export function warnOfUnfilledVariables(texts: BotTexts = {}): BotProblem[] {
  const byLanguage = TEXT_LANGUAGES.flatMap((code) => problemsIn(`/texts/${code}`, texts[code]));
  return [...problemsIn("/texts", texts), ...byLanguage];
}

function problemsIn(pointer: string, wording: Partial<Record<TextKey, string>> = {}): BotProblem[] {
  return TEXT_KEYS.flatMap((key) => unfilled(key, wording[key] ?? "", `${pointer}/${key}`));
}

function unfilled(key: TextKey, text: string, pointer: string): BotProblem[] {
  const known = [...variablesIn(english[key]), ...EVERYWHERE];
  const unknown = variablesIn(text).filter((name) => !known.includes(name));
  return unknown.map((name) => {
    const hint = didYouMean(name, known) || ` (known here: ${known.join(", ")})`;
    return { pointer, message: `\`{${name}}\` is shown as it stands${hint}`, severity: "warning" };
  });
}
