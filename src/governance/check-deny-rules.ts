import type { BotDocument, BotProblem, BotRule } from "../domain/bot.ts";
import { functionWordsOf } from "../text/function-words.ts";
import { LANGUAGES } from "../text/languages.ts";
import { hashWordText } from "../text/word-hash.ts";
import { languageOfBot } from "../texts/bot-wording.ts";
import { findPattern } from "./deny-rules/find-pattern.ts";
import { findTermAmong } from "./deny-rules/find-term.ts";
import { compileTerms, type TermIndex, termWordsOf } from "./deny-rules/term-index.ts";
import { rotated } from "./disguise/encodings.ts";
import { compileCapabilityProfile } from "./profile/capability-profile.ts";

type Severity = BotProblem["severity"];

/** A text of the bot's own file that visitors may send, at a place where it is allowed. */
interface AllowedText {
  text: string;
  /** Its place, as named in a mistake. */
  where: string;
}

/** Finds deny terms that match nothing or nearly everything, and terms that would deny the bot's own examples. */
export const checkDenyRules: BotRule = (bot) => {
  const { denyTerms = [], denyPatterns = [] } = bot.capabilityProfile ?? {};
  if (denyTerms.length === 0 && denyPatterns.length === 0) return [];
  const texts = allowedTexts(bot);
  return [...checkTerms(bot, denyTerms, texts), ...checkPatterns(denyPatterns, texts)];
};

function checkTerms(bot: BotDocument, terms: readonly string[], texts: readonly AllowedText[]): BotProblem[] {
  const language = LANGUAGES.find((known) => known === languageOfBot(bot));
  const functionWords = language === undefined ? new Set<number>() : functionWordsOf(language);
  const words = terms.map(termWordsOf);
  const keys = words.map((some) => some.join(" "));
  return terms.flatMap((term, i) => {
    const problem = (message: string, severity: Severity = "error"): BotProblem[] => [
      { pointer: `/capabilityProfile/denyTerms/${i}`, message, severity },
    ];
    const [word] = words[i]!;
    if (word === undefined) return problem(`\`${term}\` holds no letter or digit, so that it denies nothing`);
    if (words[i]!.every((some) => functionWords.has(hashWordText(some)))) {
      return problem(`\`${term}\` is in nearly every message; deny the words that matter`);
    }
    if (words[i]!.length === 1 && /^[a-z0-9]$/.test(word)) {
      return problem(`\`${term}\` is a single letter, which stands in many messages; deny a word`);
    }
    if (keys.indexOf(keys[i]!) < i) return problem(`\`${term}\` stands in this list twice`, "warning");
    const denied = textWithTerm(compileTerms([term], { language, rotated }), texts);
    if (denied === undefined) return [];
    return problem(`\`${term}\` also denies ${denied.where}, which the bot is to answer`, "warning");
  });
}

/** The first text with the term or an inflected form of it. */
function textWithTerm(term: TermIndex, texts: readonly AllowedText[]): AllowedText | undefined {
  return texts.find(({ text }) => findTermAmong(termWordsOf(text), term, () => true) !== undefined);
}

function checkPatterns(
  patterns: NonNullable<NonNullable<BotDocument["capabilityProfile"]>["denyPatterns"]>,
  texts: readonly AllowedText[],
): BotProblem[] {
  return patterns.flatMap((pattern, i) => {
    const problem = (message: string): BotProblem[] => [
      { pointer: `/capabilityProfile/denyPatterns/${i}`, message, severity: "warning" },
    ];
    if (patterns.indexOf(pattern) < i) return problem(`\`${pattern}\` stands in this list twice`);
    const denied = texts.find(({ text }) => findPattern(text, [pattern]) !== undefined);
    return denied ? problem(`\`${pattern}\` also denies ${denied.where}, which the bot is to answer`) : [];
  });
}

/** Examples and labels of allowed intents, and the suggested questions. */
function allowedTexts(bot: BotDocument): AllowedText[] {
  const profile = compileCapabilityProfile(bot.capabilityProfile);
  const allowed = (bot.intents ?? []).filter(({ name }) => profile.standingOf(name) === "allowed");
  const ofIntents = allowed.flatMap(({ name, label, examples = [] }) => [
    ...(label === undefined ? [] : [{ text: label, where: `the label "${label}" of \`${name}\`` }]),
    ...examples.map((text) => ({ text, where: `the example "${text}" of \`${name}\`` })),
  ]);
  const suggested = (bot.suggestedQuestions ?? []).map(({ text }) => ({
    text,
    where: `the suggested question "${text}"`,
  }));
  return [...ofIntents, ...suggested];
}
