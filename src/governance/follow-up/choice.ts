import type { Suggestion } from "../../domain/chat.ts";
import type { IntentName } from "../../domain/ids.ts";
import { readChoice } from "../../social/read-choice.ts";
import { type BotTexts, isNoneOfThese } from "../../texts/bot-texts.ts";
import type { PreviousTurn } from "./follow-up.ts";
import { LONGEST_PAUSE_MS } from "./said-before.ts";

/** The visitor's choice among the intents that the turn before offered. */
export type Choice = { kind: "some"; intents: readonly IntentName[] } | { kind: "none" };

/**
 * The choice in a message: by label, by number ("the first", "2", "both"), or by a word that only one label has. The text of the button
 * "none of these" always chooses none.
 */
export function choiceOf(
  text: string,
  previous: Pick<PreviousTurn, "offered" | "ageMs"> | undefined,
  texts: BotTexts,
): Choice | undefined {
  if (isNoneOfThese(text, texts)) return { kind: "none" };
  const offered: readonly Suggestion[] = previous?.offered ?? [];
  if (offered.length === 0 || previous!.ageMs > LONGEST_PAUSE_MS) return undefined;
  const choice = readChoice(text, {
    labels: offered.map(({ label }) => label),
    noneLabel: texts.say("noneOfThese"),
    language: texts.language,
  });
  if (choice === undefined || choice.kind === "none") return choice;
  return { kind: "some", intents: choice.indexes.map((index) => offered[index]!.intent) };
}
