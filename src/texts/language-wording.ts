import type { BotDocument } from "../domain/bot.ts";
import type { BotTexts, LanguageTexts } from "../domain/texts.ts";
import { languageOfBot } from "./bot-language.ts";

type WordedBot = Pick<BotDocument, "texts" | "language" | "intents">;

/** Tags of the languages in which a bot file has texts, as written there. */
export function wordedLanguages({ texts = {} }: Pick<BotDocument, "texts">): string[] {
  return Object.entries(texts).flatMap(([key, wording]) => (typeof wording === "object" ? [key] : []));
}

/** The texts of a bot file in a language: `texts.pt`, then the differences in `texts.pt-BR`. Tags are case-insensitive. */
export function wordingIn(texts: BotTexts | undefined, tag: string): LanguageTexts[] {
  const byTag = new Map(Object.entries(texts ?? {}).map(([key, wording]) => [key.toLowerCase(), wording]));
  const parts = tag.toLowerCase().split("-");
  return parts.flatMap((_, at) => {
    const wording = byTag.get(parts.slice(0, at + 1).join("-"));
    return typeof wording === "object" ? [wording] : [];
  });
}

/** The bot as its widget shows it in a visitor's language, or else in the bot's own. */
export function wordedBot<Bot extends WordedBot & Partial<BotDocument>>(bot: Bot, tag?: string): Bot {
  if (wordedLanguages(bot).length === 0) return bot;
  const own = bot.language ?? languageOfBot(bot);
  const wordings = [...wordingIn(bot.texts, own), ...(tag === undefined ? [] : wordingIn(bot.texts, tag))];
  return wordings.reduce(reworded, bot);
}

function reworded<Bot extends Partial<BotDocument>>(bot: Bot, wording: LanguageTexts): Bot {
  const { welcomeMessage, tagline, legal, "launcher.label": label, suggestedQuestions: questions } = wording;
  return {
    ...bot,
    ...(welcomeMessage !== undefined && { welcomeMessage }),
    ...(tagline !== undefined && { tagline }),
    ...(legal !== undefined && { legal }),
    ...(label !== undefined && { launcher: { ...bot.launcher, label } }),
    ...(questions && {
      suggestedQuestions: bot.suggestedQuestions?.map((question, at) => ({
        ...question,
        text: questions[questionId(question, at)] ?? question.text,
      })),
    }),
  };
}

/** The id of a question; without one, its place in the file. */
export const questionId = ({ id }: { id?: string }, at: number): string => id ?? `q${at + 1}`;
