import { ServiceError } from "../domain/errors.ts";
import type { BotHead, SizedDocument } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import { UnusableDatabaseError } from "../store/unusable-database.ts";

/**
 * Reads the stored record of a bot.
 *
 * @returns undefined if the bot was deleted and this server has not noticed yet
 * @throws UnusableDatabaseError if the record is corrupt
 */
export async function readBot(
  store: Pick<Store, "findBotDocument">,
  head: BotHead,
): Promise<SizedDocument | undefined> {
  if (head.hasUnreadableLimits)
    throw new UnusableDatabaseError(`bots.limits of bot \`${head.id}\` cannot be read; seed the bot again`);
  return store.findBotDocument(head);
}

/** The error for visitors if the record of a bot cannot be read; other errors are returned unchanged. */
export function unreadableBot(error: unknown): unknown {
  if (!(error instanceof UnusableDatabaseError)) return error;
  return new ServiceError(
    "STORAGE_UNAVAILABLE",
    "The stored record of this bot cannot be read; the server's log and `parley doctor` tell its operator why.",
    { headers: { "Retry-After": "60" }, logFields: { reason: "the bot cannot be read" } },
  );
}

/** The error for a missing or disabled bot; clients must not learn which of the two it is. */
export function botNotFound(): ServiceError {
  return new ServiceError("NOT_FOUND", "No enabled bot has this botId.");
}
