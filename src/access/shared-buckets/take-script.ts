import { createHash } from "node:crypto";

import type { RateLimit } from "../../domain/bot.ts";
import { sha256 } from "../../domain/sha256.ts";
import { type BucketState, thousandthsPerMinute } from "../rate-limiter.ts";
import { MESSAGE, stateOf } from "../token-bucket.ts";
import text from "./take.lua" with { type: "text" };

/** The script that takes a message. The server runs it as a whole, by its own clock. */
export const TAKE_SCRIPT = text;

/** The script's name for `EVALSHA`. */
export const TAKE_SHA1 = createHash("sha1").update(text).digest("hex");

/** Kinds of buckets. */
export type BucketKind = "caller" | "authentication";

/** The name of a bucket on the server: of one length whatever the caller's is, and without an address in clear. */
export function bucketName(kind: BucketKind, callerKey: string): string {
  return `parley:${kind}:${sha256(callerKey).toString("base64url")}`;
}

/** Arguments of `EVAL` and `EVALSHA` after the script. */
export function takeArguments(name: string, limit: RateLimit): string[] {
  const mostDebt = (limit.capacity - 1) * MESSAGE;
  return ["1", name, String(MESSAGE), String(mostDebt), String(thousandthsPerMinute(limit))];
}

/** How the caller stands after the script. @throws Error where `reply` is none of its replies. */
export function readTaken(reply: unknown, limit: RateLimit): BucketState {
  const [taken, debt] = Array.isArray(reply) ? (reply as unknown[]) : [];
  if (typeof taken !== "number" || typeof debt !== "number") {
    throw new Error("the server answers the script with something else");
  }
  return stateOf({ debt, refill: thousandthsPerMinute(limit) }, limit, taken === 1);
}
