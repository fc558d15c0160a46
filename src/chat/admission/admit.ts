import { callerAddressKey } from "../../access/client-address.ts";
import type { RequestSource } from "../../access/decide-domain.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { BotRegistry } from "../../bots/registry.ts";
import type { RateLimit } from "../../domain/bot.ts";
import type { ChatRequest } from "../../domain/chat.ts";
import type { RequestId } from "../../domain/ids.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";
import { idempotencyKeyOf } from "../idempotency/idempotency-key.ts";
import type { Message } from "../message.ts";
import { admitCaller, type Caller, type CallerParts } from "./admit-caller.ts";
import { admitToBot } from "./admit-to-bot.ts";

/** The parts that admission uses. */
export interface AdmitParts extends CallerParts {
  bots: Pick<BotRegistry, "find" | "headOf">;
}

/** The common part of request bodies to a bot. */
interface BodyForBot {
  botId: string;
  input?: string;
}

/** A request to a bot before any check. */
export interface IncomingRequest<Body extends BodyForBot> extends Caller {
  source: RequestSource;
  /** Checks 4 and 5: size and form. The body is not read before the caller is known. */
  readBody: () => Promise<Body>;
}

/** A request that may speak to its bot. */
export interface Admitted<Body extends BodyForBot> {
  embedToken: StoredEmbedToken;
  bot: LoadedBot;
  body: Body;
}

/**
 * Runs the checks of “Order of checks” in docs/api.md: caller (1 to 3), body (4 and 5), bot (6 to 8).
 *
 * @throws ServiceError UNAUTHORIZED | RATE_LIMITED | INVALID_REQUEST | NOT_FOUND | FORBIDDEN
 */
export async function admit<Body extends BodyForBot>(
  parts: AdmitParts,
  request: IncomingRequest<Body>,
): Promise<Admitted<Body>> {
  const embedToken = await admitCaller(parts, request);
  const body = await request.readBody();
  const { source } = request;
  const found = await parts.bots.find(body.botId);
  const bot = admitToBot({ bot: found, embedToken, source, input: body.input });
  return { embedToken, bot, body };
}

/** A message with the text of its `Idempotency-Key` header. */
export type ChatBody = ChatRequest & { idempotencyKey?: string };

/** The message of an admitted request. */
export function admittedMessage(
  { bot, embedToken, body }: Admitted<ChatBody>,
  { requestId, clientAddress }: { requestId: RequestId; clientAddress: string },
): Message {
  const { input, conversationId, idempotencyKey: key } = body;
  const sent = key !== undefined && { embedToken: embedToken.key, clientAddress, key };
  return {
    bot,
    requestId,
    input,
    caller: callerAddressKey(clientAddress),
    ...(conversationId !== undefined && { conversationId }),
    ...(sent && { idempotencyKey: idempotencyKeyOf(sent, body) }),
  };
}

/** Purposes of requests other than messages. */
type BesidePurpose = "feedback" | "handoff" | "events";

/** Runs the checks of POST /chat for such requests. @throws ServiceError as `admit` does */
export type AdmitBeside = <Body extends { botId: string }>(
  purpose: BesidePurpose,
  request: IncomingRequest<Body>,
) => Promise<Admitted<Body>>;

/** A flood of hand-offs would bury those of other visitors, and one visitor needs only a few. Half the capacity, a tenth of the pace. */
const ofHandoffs = ({ capacity, perMinute }: RateLimit): RateLimit => ({
  capacity: Math.ceil(capacity / 2),
  perMinute: perMinute / 10,
});

/** Each purpose has buckets of its own, so that rating an answer does not use up messages. Limits as for messages; narrower for hand-offs. */
export function admitBeside(parts: AdmitParts): AdmitBeside {
  const partsOf = (purpose: BesidePurpose): AdmitParts => ({
    ...parts,
    buckets: { take: (caller, limit) => parts.buckets.take(`${purpose} ${caller}`, limit) },
  });
  const byPurpose = {
    feedback: partsOf("feedback"),
    handoff: { ...partsOf("handoff"), narrow: ofHandoffs },
    events: partsOf("events"),
  };
  return (purpose, request) => admit(byPurpose[purpose], request);
}
