import { type Command, InvalidArgumentError, type OptionValues } from "@commander-js/extra-typings";

import { INTENT_PATTERN_PATTERN } from "../domain/bot.ts";
import { ENFORCEMENT_REASONS } from "../domain/chat.ts";
import type { TurnOutcome } from "../domain/conversation.ts";
import type { EpochMs } from "../domain/time.ts";
import type { TurnFilter } from "../store/interface/conversations.ts";
import type { Store } from "../store/interface/store.ts";
import { getBot } from "./data-folder.ts";
import { pastParser } from "./option-values.ts";
import type { Terminal } from "./terminal.ts";

/** Values of the options of `addConversationFilter`. */
export interface ConversationFilterOptions {
  bot?: string | undefined;
  since?: EpochMs | undefined;
  until?: EpochMs | undefined;
  reason?: TurnOutcome | undefined;
  intent?: string | undefined;
  grep?: string | undefined;
}

/** Adds options that select conversations: those with at least one turn or hand-off that meets all of them. */
export function addConversationFilter<
  Args extends unknown[],
  Options extends OptionValues,
  Global extends OptionValues,
>(command: Command<Args, Options, Global>, { now }: Pick<Terminal, "now">) {
  return command
    .option("--bot <id>", "with this bot")
    .option(
      "--since <when>",
      "at that time or later: 7d, 12h, 2w or a date such as 2026-11-01",
      pastParser(now),
    )
    .option("--until <when>", "before that time", pastParser(now))
    .option("--reason <reason>", `with this outcome: ${OUTCOMES.join(", ")}`, parseOutcome)
    .option("--intent <name>", "with this intent, or several: orders.*", parseIntent)
    .option(
      "--grep <text>",
      "a message, answer, contact form or message with an operator contains this text, in upper or lower case",
    );
}

/** @throws InputError if there is no such bot. */
export async function turnFilterOf(store: Store, options: ConversationFilterOptions): Promise<TurnFilter> {
  const { bot, since, until, reason, intent, grep } = options;
  return {
    ...(bot !== undefined && { bot: (await getBot(store, bot)).key }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    ...(reason !== undefined && { outcome: reason }),
    ...(intent !== undefined && { intent }),
    ...(grep !== undefined && { text: grep }),
  };
}

const OUTCOMES: readonly TurnOutcome[] = ["allowed", ...ENFORCEMENT_REASONS];

function parseOutcome(text: string): TurnOutcome {
  const outcome = OUTCOMES.find((known) => known.toLowerCase() === text.toLowerCase());
  if (outcome !== undefined) return outcome;
  throw new InvalidArgumentError(`Use one of ${OUTCOMES.join(", ")}.`);
}

function parseIntent(text: string): string {
  if (text !== "*" && new RegExp(INTENT_PATTERN_PATTERN).test(text)) return text;
  throw new InvalidArgumentError("Use the name of an intent, or a prefix such as orders.*");
}
