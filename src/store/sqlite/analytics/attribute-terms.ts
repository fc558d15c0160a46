import type { Outcome } from "../../../domain/operator/overview.ts";
import type { ListQuery } from "../../interface/analytics.ts";
import type { BotKey } from "../../interface/bots.ts";

/** Prefix of attribute terms; no word of a text begins with it. */
const MARK = "\u0001";

/** Attribute term that every turn has. */
export const ANY = MARK;
export const botTerm = (bot: BotKey) => `${MARK}b:${bot}`;
export const outcomeTerm = (outcome: Outcome) => `${MARK}o:${outcome}`;
export const intentTerm = (intent: string) => `${MARK}i:${intent}`;

/** A turn's attributes (bot, outcome, intent), as terms of the word index. */
export function attributeTermsOf(bot: BotKey, outcome: Outcome, intent: string | null): string[] {
  return [ANY, botTerm(bot), outcomeTerm(outcome), ...(intent === null ? [] : [intentTerm(intent)])];
}

/** The attributes of a query, as terms, and at most one prefix of a term. */
export function attributeTermsAsked({
  bot,
  outcome,
  intent,
}: Pick<ListQuery, "bot" | "outcome" | "intent">): {
  terms: string[];
  prefixes: string[];
} {
  const isPrefix = intent?.endsWith(".*") ?? false;
  const terms = [
    ...(bot === undefined ? [] : [botTerm(bot)]),
    ...(outcome === undefined ? [] : [outcomeTerm(outcome)]),
    ...(intent === undefined || isPrefix ? [] : [intentTerm(intent)]),
  ];
  const prefixes = isPrefix ? [intentTerm(intent!.slice(0, -1))] : [];
  return { terms, prefixes };
}
