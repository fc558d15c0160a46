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
  if (isServerTokenId(embedToken.id) && isFromBrowser()) throw notForBrowsers();
  const limit = (parts.narrow ?? same)(limitOf(parts, embedToken));
  const state = await parts.buckets.take(`${embedToken.id} ${callerAddressKey(clientAddress)}`, limit);
  onBucket(limit, state);
  if (!state.allowed) throw rateLimited(parts, "caller", state.retryAfterMs);
  return embedToken;
}

const same = (limit: RateLimit) => limit;

/** Not reached with a valid token, so that others at the same address cannot lock a caller out. */
async function refuseStranger(parts: CallerParts, clientAddress: string): Promise<ServiceError> {
  const waitMs = await parts.authFailures.record(clientAddress);
  return waitMs > 0 ? rateLimited(parts, "authentication", waitMs) : unauthorized();
}

async function findEmbedToken({ embedTokens, now }: CallerParts, authorization: string | null) {
  const token = parseEmbedToken(parseBearer(authorization) ?? "");
  const stored = token && (await embedTokens.find(hashEmbedToken(token)));
  return stored && embedTokenState(stored, now()) === "active" ? stored : undefined;
}

/** A server token in a page would be visible to all visitors. */
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

/** The bot is unknown before the body is read, so the strictest limit of the token's bots applies. */
function limitOf({ bots, defaultLimit }: CallerParts, { botIds }: StoredEmbedToken): RateLimit {
  const limits = botIds.flatMap((id) => bots.headOf(id)?.limits.rateLimit ?? []);
  if (limits.length === 0) return defaultLimit;
  return {
    capacity: Math.min(...limits.map((limit) => limit.capacity)),
    perMinute: Math.min(...limits.map((limit) => limit.perMinute)),
  };
}
