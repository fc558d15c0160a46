import type { Audit, ConversationPlace, SaidMessage } from "../../store/interface/audit.ts";
import type { BotKey } from "../../store/interface/bots.ts";
import type { Slices } from "../slices.ts";

/** Messages examined: as many as two versions decide in a few seconds. */
export const MOST_MESSAGES = 2000;
/** Conversations read at a time, which takes some milliseconds. */
const STEP = 100;

/** Messages with the same wording. */
export interface DistinctMessage extends SaidMessage {
  times: number;
}

export interface SaidMessages {
  /** Number of messages, counting repeated wordings each time. */
  messages: number;
  /** Each wording once, with its latest message. */
  distinct: readonly DistinctMessage[];
}

/** The latest stored messages of a bot's visitors, from the most recently begun conversations. */
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
