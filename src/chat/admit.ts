import { parseBearer } from "../access/bearer.ts";
import { callerAddressKey } from "../access/client-address.ts";
import { type RequestSource, decideDomain } from "../access/decide-domain.ts";
import { embedTokenState } from "../access/embed-token-state.ts";
import { hashEmbedToken, parseEmbedToken } from "../access/embed-token.ts";
import { retryAfter } from "../access/rate-limit-headers.ts";
import type { BucketState } from "../access/rate-limiter.ts";
import type { LoadedBot } from "../bots/loaded-bot.ts";
import { DEFAULT_MAX_INPUT_LENGTH, type RateLimit } from "../domain/bot.ts";
import type { ChatRequest } from "../domain/chat.ts";
import { ServiceError } from "../domain/errors.ts";
import type { Runtime } from "../runtime.ts";
import type { StoredEmbedToken } from "../store/embed-tokens.ts";
import { botNotFound } from "./bot-not-found.ts";

export interface Credentials {
  authorization: string | null;
  clientAddress: string;
}

type AdmitRuntime = Pick<
  Runtime,
  "now" | "embedTokens" | "bots" | "buckets" | "authFailures" | "config" | "metrics"
>;

/** Told of the caller's bucket as soon as check 3 has run, whatever it says. */
type OnBucket = (limit: RateLimit, state: BucketState) => void;

/**
 * Checks 1 to 3 of decisions §2, before anything of the body is read.
 *
 * @throws ServiceError UNAUTHORIZED | RATE_LIMITED
 */
export async function admitCaller(
  runtime: AdmitRuntime,
  credentials: Credentials,
  onBucket: OnBucket,
): Promise<StoredEmbedToken> {
  const { clientAddress } = credentials;
  await refuseAfterManyFailures(runtime, clientAddress);
  const embedToken = findEmbedToken(runtime, credentials.authorization);
  if (!embedToken) {
    await runtime.authFailures.record(clientAddress);
    throw unauthorized();
  }
  const limit = limitOf(runtime, embedToken);
  const state = await runtime.buckets.take(`${embedToken.key} ${callerAddressKey(clientAddress)}`, limit);
  onBucket(limit, state);
  if (!state.allowed) throw rateLimited(runtime, "caller", state.retryAfterMs);
  return embedToken;
}

/**
 * Checks 5 (the bot's own input length) to 8.
 *
 * @throws ServiceError INVALID_REQUEST | NOT_FOUND | UNAUTHORIZED | FORBIDDEN
 */
export function admitMessage(
  runtime: Pick<AdmitRuntime, "bots">,
  embedToken: StoredEmbedToken,
  request: ChatRequest,
  source: RequestSource,
): LoadedBot {
  const bot = runtime.bots.find(request.botId);
  refuseLongInput(request.input, bot?.maxInputLength ?? DEFAULT_MAX_INPUT_LENGTH);
  if (!bot) throw botNotFound();
  if (!embedToken.botIds.includes(bot.id)) {
    throw new ServiceError("UNAUTHORIZED", "The embed token was not issued for this bot.");
  }
  refuseForeignDomain(bot, source);
  return bot;
}

async function refuseAfterManyFailures(runtime: AdmitRuntime, clientAddress: string): Promise<void> {
  const waitMs = await runtime.authFailures.blockedForMs(clientAddress);
  if (waitMs > 0) throw rateLimited(runtime, "authentication", waitMs);
}

function findEmbedToken({ embedTokens, now }: AdmitRuntime, authorization: string | null) {
  const token = parseEmbedToken(parseBearer(authorization) ?? "");
  const stored = token && embedTokens.find(hashEmbedToken(token));
  return stored && embedTokenState(stored, now()) === "active" ? stored : undefined;
}

function unauthorized(): ServiceError {
  return new ServiceError(
    "UNAUTHORIZED",
    "Send a valid embed token as `Authorization: Bearer …`; this one is missing, malformed, unknown, expired or revoked.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

function rateLimited(
  { metrics }: AdmitRuntime,
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

/** Before the body is read the bot is not known, so the strictest of the limits of the token's bots counts. */
function limitOf({ bots, config }: AdmitRuntime, embedToken: StoredEmbedToken): RateLimit {
  const limits = embedToken.botIds.flatMap((id) => bots.find(id)?.document.rateLimit ?? []);
  if (limits.length === 0)
    return { capacity: config.rateLimitCapacity, perMinute: config.rateLimitPerMinute };
  return {
    capacity: Math.min(...limits.map((limit) => limit.capacity)),
    perMinute: Math.min(...limits.map((limit) => limit.perMinute)),
  };
}

function refuseLongInput(input: string, maxLength: number): void {
  // The length in UTF-16 units is at least the number of characters.
  const length = input.length > maxLength ? Array.from(input).length : input.length;
  if (length <= maxLength) return;
  const detail = `must have at most ${maxLength} characters, and has ${length}`;
  throw new ServiceError("INVALID_REQUEST", `The message is too long: \`input\` ${detail}.`, {
    errors: [{ pointer: "/input", detail }],
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
