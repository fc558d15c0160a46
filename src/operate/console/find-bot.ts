import { ServiceError } from "../../domain/errors.ts";
import type { BotKey } from "../../store/interface/bots.ts";
import type { Bots } from "../../store/interface/store.ts";

/** The key of a bot; undefined if no id is given. @throws ServiceError NOT_FOUND */
export async function findBotKey(
  bots: Pick<Bots, "find">,
  id: string | undefined,
): Promise<BotKey | undefined> {
  if (id === undefined) return undefined;
  const bot = await bots.find(id);
  if (!bot) throw new ServiceError("NOT_FOUND", `There is no bot \`${id}\`.`);
  return bot.key;
}
