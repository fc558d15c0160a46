import type { TextLanguage } from "../domain/texts.ts";
import type { BotWording } from "./texts-of.ts";

/** Replaces `{name}` by its value, literally; a name without a value stays. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

/** British English, which has no comma before "or", as the wording had none before there were others. */
const localeOf = (language: TextLanguage): string => (language === "en" ? "en-GB" : language);

/** Labels in a row, as the language joins them: "A, B or C", "A, B und C". */
export function listed(labels: readonly string[], language: TextLanguage, joint: "and" | "or"): string {
  const type = joint === "or" ? "disjunction" : "conjunction";
  return new Intl.ListFormat(localeOf(language), { type }).format(labels);
}

/** Asks which intent was meant, by their labels; at least one. */
export function askingBack({ texts, language }: BotWording, labels: readonly string[]): string {
  if (labels.length === 1) return fillText(texts["didYouMean.one"], { choice: labels[0]! });
  return fillText(texts["didYouMean.several"], { choices: listed(labels, language, "or") });
}

/** What the bot can help with, by the labels of some intents. */
export function helpText({ texts, language }: BotWording, labels: readonly string[]): string {
  if (labels.length === 0) return texts["social.helpWithoutChoices"];
  return fillText(texts["social.help"], { choices: listed(labels, language, "and") });
}
