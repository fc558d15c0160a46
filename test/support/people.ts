import type { NewDelivery } from "../../src/domain/delivery.ts";
import {
  type ConversationId,
  type HandoffId,
  newHandoffId,
  newRequestId,
  secureRandomBytes,
} from "../../src/domain/ids.ts";
import type { StoredHandoff } from "../../src/store/interface/handoffs.ts";
import type { Store } from "../../src/store/interface/store.ts";
import { turnWith } from "./turns.ts";

/** A visitor's request for a person, and the messages after it. */
export interface AskedPerson {
  bot?: string;
  conversationId: ConversationId;
  fields?: StoredHandoff["fields"];
  at: number;
  /** An operator who answers at once, and the messages in turn, the visitor first. */
  said?: readonly string[];
  /** Recipients. */
  deliveries?: readonly NewDelivery[];
}

/** Stores a hand-off as a server would: messages one second apart, after which the operator leaves. */
export async function askPerson(
  store: Pick<Store, "bots" | "handoffs">,
  { bot: botId = "shop", conversationId, fields = {}, at, said = [], deliveries = [] }: AskedPerson,
): Promise<HandoffId> {
  const bot = (await store.bots.find(botId))!.key;
  const id = newHandoffId(at, secureRandomBytes);
  await store.handoffs.open({ id, bot, conversationId, fields, sharesTranscript: false, at, deliveries });
  if (said.length === 0) return id;
  const person = { id, operator: "ann@example.com", name: "Ann", at: at + 500, until: at + 900_000 };
  await store.handoffs.take(person);
  for (const [place, text] of said.entries()) {
    const now = at + 1000 * (place + 1);
    const requestId = newRequestId(now, secureRandomBytes);
    if (place % 2 === 1) await store.handoffs.say({ ...person, at: now }, text);
    else await store.handoffs.recordLive({ bot, conversationId, turn: turnToPerson(requestId, now, text) });
  }
  await store.handoffs.release(id, at + 1000 * (said.length + 1));
  return id;
}

function turnToPerson(requestId: ReturnType<typeof newRequestId>, at: number, input: string) {
  const turn = turnWith({ requestId, at, input, response: "Your message has been passed on." });
  return {
    ...turn,
    metadata: { ...turn.metadata, handoff: { state: "live" as const } },
    receipt: { ...turn.receipt, rule: "handed-over" as const },
  };
}
