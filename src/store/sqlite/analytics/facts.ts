import type { Outcome } from "../../../domain/operator/overview.ts";
import type { ListQuery } from "../../interface/analytics.ts";
import type { BotKey } from "../../interface/bots.ts";

/** No word of a text begins with it. */
const MARK = "\u0001";

/** Every turn has it. */
export const ANY = MARK;
export const botFact = (bot: BotKey) => `${MARK}b:${bot}`;
export const outcomeFact = (outcome: Outcome) => `${MARK}o:${outcome}`;
export const intentFact = (intent: string) => `${MARK}i:${intent}`;

/** What is known of a turn beside its words, as words. */
export function factsOf(bot: BotKey, outcome: Outcome, intent: string | null): string[] {
  return [ANY, botFact(bot), outcomeFact(outcome), ...(intent === null ? [] : [intentFact(intent)])];
}

/** What a query asks for beside words: facts, and at most one beginning of one. */
export function factsAsked({ bot, outcome, intent }: Pick<ListQuery, "bot" | "outcome" | "intent">): {
  facts: string[];
  prefixes: string[];
} {
  const isPrefix = intent?.endsWith(".*") ?? false;
  const facts = [
    ...(bot === undefined ? [] : [botFact(bot)]),
    ...(outcome === undefined ? [] : [outcomeFact(outcome)]),
    ...(intent === undefined || isPrefix ? [] : [intentFact(intent)]),
  ];
  const prefixes = isPrefix ? [intentFact(intent!.slice(0, -1))] : [];
  return { facts, prefixes };
}
