import { decideDomain, type RequestSource } from "../../access/allowed-domain.ts";
import { callerAddressKey } from "../../access/client-address.ts";
import {
  type AuthFailures,
  type BucketState,
  type RateLimiter,
  retryAfter,
} from "../../access/rate-limiter.ts";
import { embedTokenState, hashEmbedToken, parseBearer, parseEmbedToken } from "../../access/secrets.ts";
import type { LoadedBot } from "../../bots/loaded-bot.ts";
import { botNotFound } from "../../bots/read-bot.ts";
import type { BotRegistry } from "../../bots/registry.ts";
import { DEFAULT_MAX_INPUT_LENGTH, type RateLimit } from "../../domain/bot.ts";
import type { ChatRequest } from "../../domain/chat.ts";
import { ServiceError } from "../../domain/errors.ts";
import { type EmbedTokenHash, isServerTokenId, type RequestId } from "../../domain/ids.ts";
import type { Now } from "../../domain/time.ts";
import type { Metrics } from "../../metrics.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";
import { idempotencyKeyOf } from "../idempotency-key.ts";
import type { Message } from "../message.ts";

/** The parts that the admission of callers uses. */
export interface CallerParts {
  now: Now;
  embedTokens: { find(hash: EmbedTokenHash): Promise<StoredEmbedToken | undefined> };
  bots: Pick<BotRegistry, "headOf">;
  buckets: Pick<RateLimiter, "take">;
  authFailures: AuthFailures;
  /** Limit of callers whose bots have none of their own. */
  defaultLimit: RateLimit;
  /** Derives a narrower limit for requests that are rarer than messages. */
  narrow?: (limit: RateLimit) => RateLimit;
  metrics: Pick<Metrics, "bucketRefusals">;
}

/** The sender of a request, by its headers. */
export interface Caller {
  authorization: string | null;
  clientAddress: string;
  /** Whether a browser sent it, by `Origin` and `Sec-Fetch-…`. */
  isFromBrowser: () => boolean;
  /** Called with the state of the caller's bucket after check 3, passed or not. */
  onBucket: (limit: RateLimit, state: BucketState) => void;
}

/**
 * Checks 1 to 3 of “Order of checks” in docs/api.md: embed token, failed authentications of callers without one, token bucket.
 *
 * @throws ServiceError UNAUTHORIZED | RATE_LIMITED
 */
export async function admitCaller(
  parts: CallerParts,
  { authorization, clientAddress, isFromBrowser, onBucket }: Caller,
): Promise<StoredEmbedToken> {
  const embedToken = await findEmbedToken(parts, authorization);
  if (!embedToken) throw await refuseStranger(parts, clientAddress);
  if (isServerTokenId(embedToken.id) && isFromBrowser()) throw unauthorized(NOT_FOR_BROWSERS);
  const ofBots = limitOf(parts, embedToken);
  const limit = parts.narrow?.(ofBots) ?? ofBots;
  const state = await parts.buckets.take(`${embedToken.id} ${callerAddressKey(clientAddress)}`, limit);
  onBucket(limit, state);
  if (!state.allowed) throw rateLimited(parts, "caller", state.retryAfterMs);
  return embedToken;
}

const NO_VALID_TOKEN =
  "Send a valid embed token as `Authorization: Bearer …`; this one is missing, malformed, unknown, expired or revoked.";
/** In a page, all visitors could read it. */
const NOT_FOR_BROWSERS =
  "A server token is a secret of programs, and this request comes from a browser: revoke it, and give the page an embed token.";

/** Not reached with a valid token, so that others at the same address cannot lock a caller out. */
async function refuseStranger(parts: CallerParts, clientAddress: string): Promise<ServiceError> {
  const waitMs = await parts.authFailures.record(clientAddress);
  return waitMs > 0 ? rateLimited(parts, "authentication", waitMs) : unauthorized(NO_VALID_TOKEN);
}

async function findEmbedToken({ embedTokens, now }: CallerParts, authorization: string | null) {
  const token = parseEmbedToken(parseBearer(authorization) ?? "");
  const stored = token && (await embedTokens.find(hashEmbedToken(token)));
  return stored && embedTokenState(stored, now()) === "active" ? stored : undefined;
}

const unauthorized = (detail: string) =>
  new ServiceError("UNAUTHORIZED", detail, { headers: { "WWW-Authenticate": "Bearer" } });

function rateLimited(
  { metrics }: CallerParts,
  limit: "caller" | "authentication",
  retryAfterMs: number,
): ServiceError {
  metrics.bucketRefusals.inc({ limit });
  const seconds = retryAfter(retryAfterMs);
  const what = limit === "caller" ? "Too many messages" : "Too many failed authentications from this address";
  return new ServiceError("RATE_LIMITED", `${what}; try again in ${seconds} s.`, {
    headers: { "Retry-After": seconds },
  });
}

/** The bot is unknown before the body is read, so the strictest limit of the token's bots applies. */
function limitOf({ bots, defaultLimit }: CallerParts, { botIds }: StoredEmbedToken): RateLimit {
  const limits = botIds.flatMap((id) => bots.headOf(id)?.limits.rateLimit ?? []);
  if (limits.length === 0) return defaultLimit;
  return {
    capacity: Math.min(...limits.map((limit) => limit.capacity)),
    perMinute: Math.min(...limits.map((limit) => limit.perMinute)),
  };
}

/** The facts that decide whether an admitted caller may use a bot. */
export interface BotRequest {
  /** Undefined if there is no such bot. */
  bot: LoadedBot | undefined;
  embedToken: StoredEmbedToken;
  source: RequestSource;
  /** A visitor's text, whose length the bot limits. */
  input: string | undefined;
}

/**
 * The part of check 5 of “Order of checks” in docs/api.md that depends on the bot (length of the input), and checks 6 to 8: bot, token, domain.
 *
 * @throws ServiceError INVALID_REQUEST | NOT_FOUND | UNAUTHORIZED | FORBIDDEN
 */
export function admitToBot({ bot, embedToken, source, input = "" }: BotRequest): LoadedBot {
  refuseLongInput(input, bot?.maxInputLength);
  if (!bot) throw botNotFound();
  if (!embedToken.botIds.includes(bot.id)) {
    throw new ServiceError("UNAUTHORIZED", "The embed token was not issued for this bot.");
  }
  // A program has no page, and its token is a secret.
  if (!isServerTokenId(embedToken.id)) refuseForeignDomain(bot, source);
  return bot;
}

/** @param maxLength characters. @throws ServiceError INVALID_REQUEST with `maxLength`, if the input has more. */
export function refuseLongInput(input: string, maxLength = DEFAULT_MAX_INPUT_LENGTH): void {
  // The length in UTF-16 units is at least the number of characters.
  const length = input.length > maxLength ? Array.from(input).length : input.length;
  if (length <= maxLength) return;
  const detail = `must have at most ${maxLength} characters, and has ${length}`;
  throw new ServiceError("INVALID_REQUEST", `The message is too long: \`input\` ${detail}.`, {
    errors: [{ pointer: "/input", detail, maxLength }],
  });
}

function refuseForeignDomain(bot: LoadedBot, source: RequestSource): void {
  const decision = decideDomain(bot.domains, source);
  if (decision.allowed) return;
  const detail =
    decision.reason === "no_origin"
      ? "This bot may be used from certain pages only, and the request names none: it has no Origin or Referer header."
      : "This bot may not be used from this domain.";
  throw new ServiceError("FORBIDDEN", detail, {
    logFields: {
      origin: source.origin,
      referer: source.referer,
      domainReason: decision.reason,
      allowedDomains: bot.document.allowedDomains,
    },
  });
}

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
