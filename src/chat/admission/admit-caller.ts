import type { AuthFailures } from "../../access/auth-failures.ts";
import { callerAddressKey } from "../../access/client-address.ts";
import { embedTokenState, hashEmbedToken, parseEmbedToken } from "../../access/embed-token.ts";
import { type BucketState, type RateLimiter, retryAfter } from "../../access/rate-limiter.ts";
import { parseBearer } from "../../access/secrets.ts";
import type { BotRegistry } from "../../bots/registry.ts";
import type { RateLimit } from "../../domain/bot.ts";
import { ServiceError } from "../../domain/errors.ts";
import { type EmbedTokenHash, isServerTokenId } from "../../domain/ids.ts";
import type { Now } from "../../domain/time.ts";
import type { Metrics } from "../../metrics.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";

/** The parts that the admission of callers uses. */
export interface CallerParts {
  now: Now;
  embedTokens: { find(hash: EmbedTokenHash): Promise<StoredEmbedToken | undefined> };
  bots: Pick<BotRegistry, "headOf">;
  buckets: Pick<RateLimiter, "take">;
  authFailures: AuthFailures;
  /** Of callers whose bots set no limit of their own. */
  defaultLimit: RateLimit;
  /** What is allowed of something rarer than messages, by the limit of these. */
  narrow?: (limit: RateLimit) => RateLimit;
  metrics: Pick<Metrics, "bucketRefusals">;
}

/** Who sends a request, as far as its headers tell. */
export interface Caller {
  authorization: string | null;
  clientAddress: string;
  /** Whether a browser sends it, as far as `Origin` and `Sec-Fetch-…` tell. */
  isFromBrowser: () => boolean;
  /** Told of the caller's bucket as soon as check 3 has run, whatever it says. */
  onBucket: (limit: RateLimit, state: BucketState) => void;
}

/**
 * Checks 1 to 3 of decisions §2: embed token, failed authentications of those who have none, token bucket.
 *
 * @throws ServiceError UNAUTHORIZED | RATE_LIMITED
 */
export async function admitCaller(
  parts: CallerParts,
  { authorization, clientAddress, isFromBrowser, onBucket }: Caller,
): Promise<StoredEmbedToken> {
  const embedToken = await findEmbedToken(parts, authorization);
  if (!embedToken) throw await refuseStranger(parts, clientAddress);
  if (isServerTokenId(embedToken.id) && isFromBrowser()) throw notForBrowsers();
  const limit = (parts.narrow ?? same)(limitOf(parts, embedToken));
  const state = await parts.buckets.take(`${embedToken.id} ${callerAddressKey(clientAddress)}`, limit);
  onBucket(limit, state);
  if (!state.allowed) throw rateLimited(parts, "caller", state.retryAfterMs);
  return embedToken;
}

const same = (limit: RateLimit) => limit;

/** A valid token never comes here: whoever shares its address cannot lock it out. */
async function refuseStranger(parts: CallerParts, clientAddress: string): Promise<ServiceError> {
  const waitMs = await parts.authFailures.record(clientAddress);
  return waitMs > 0 ? rateLimited(parts, "authentication", waitMs) : unauthorized();
}

async function findEmbedToken({ embedTokens, now }: CallerParts, authorization: string | null) {
  const token = parseEmbedToken(parseBearer(authorization) ?? "");
  const stored = token && (await embedTokens.find(hashEmbedToken(token)));
  return stored && embedTokenState(stored, now()) === "active" ? stored : undefined;
}

/** A secret that a page sends is in the hands of all of its visitors. */
function notForBrowsers(): ServiceError {
  return new ServiceError(
    "UNAUTHORIZED",
    "A server token is a secret of programs, and this request comes from a browser: revoke it, and give the page an embed token.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

function unauthorized(): ServiceError {
  return new ServiceError(
    "UNAUTHORIZED",
    "Send a valid embed token as `Authorization: Bearer …`; this one is missing, malformed, unknown, expired or revoked.",
    { headers: { "WWW-Authenticate": "Bearer" } },
  );
}

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

/** Before the body is read the bot is not known, so the strictest of the limits of the token's bots counts. */
function limitOf({ bots, defaultLimit }: CallerParts, { botIds }: StoredEmbedToken): RateLimit {
  const limits = botIds.flatMap((id) => bots.headOf(id)?.limits.rateLimit ?? []);
  if (limits.length === 0) return defaultLimit;
  return {
    capacity: Math.min(...limits.map((limit) => limit.capacity)),
    perMinute: Math.min(...limits.map((limit) => limit.perMinute)),
  };
}
