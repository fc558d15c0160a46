import type { Audit, ConversationPlace, SaidMessage } from "../../store/interface/audit.ts";
import type { BotKey } from "../../store/interface/bots.ts";
import type { Slices } from "../slices.ts";

/** Messages that are looked at: as many as two bots decide within some seconds. */
export const MOST_MESSAGES = 2000;
/** Conversations that are read at once: some milliseconds. */
const STEP = 100;

/** Messages that were said in the same words. */
export interface DistinctMessage extends SaidMessage {
  times: number;
}

export interface SaidMessages {
  /** How many there are, all of their wordings counted as often as they were said. */
  messages: number;
  /** Each wording once, by the latest message that has it. */
  distinct: readonly DistinctMessage[];
}

/** The latest messages of a bot's visitors whose text was kept, of the conversations that began latest. */
export async function readSaid(
  audit: Pick<Audit, "listSaid">,
  bot: BotKey,
  slices: Slices,
): Promise<SaidMessages> {
  const byText = new Map<string, DistinctMessage>();
  let messages = 0;
  let before: ConversationPlace | undefined;
  do {
    const page = await audit.listSaid(bot, STEP, before);
    for (const message of page.messages.slice(0, MOST_MESSAGES - messages)) {
      messages += 1;
      const known = byText.get(message.text);
      if (known) known.times += 1;
      else byText.set(message.text, { ...message, times: 1 });
    }
    before = page.last;
    await slices.pause();
  } while (before !== undefined && messages < MOST_MESSAGES);
  return { messages, distinct: [...byText.values()] };
}
