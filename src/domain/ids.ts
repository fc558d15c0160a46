import { Type } from "@sinclair/typebox";

/** Branded identifiers: a string that has been parsed, and may be trusted inside. */
declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

export const BOT_ID_PATTERN = "^[a-z0-9]+(-[a-z0-9]+)*$";
export const MAX_BOT_ID_LENGTH = 64;

/** The id an operator gave a bot. */
export type BotId = Branded<"BotId">;
export const BotId = Type.Unsafe<BotId>(
  Type.String({
    pattern: BOT_ID_PATTERN,
    maxLength: MAX_BOT_ID_LENGTH,
    description: "Lower-case letters, digits and single hyphens; what callers pass as `botId`",
  }),
);

/** Opaque, at least 96 random bits. */
export type ConversationId = Branded<"ConversationId">;
/** Names one HTTP request; also the `X-Request-Id` header. */
export type RequestId = Branded<"RequestId">;
/** Names one server among those on a database, from its start, or from its return after others took it for dead. */
export type InstanceId = Branded<"InstanceId">;
/** Names a visitor's request for a person; in the order of time. */
export type HandoffId = Branded<"HandoffId">;
/** Names a delivery of a webhook or an e-mail; in the order of time. */
export type DeliveryId = Branded<"DeliveryId">;
/** A well-formed embed token, checksum included; only the store knows whether it was issued. Never logged. */
export type EmbedToken = Branded<"EmbedToken">;
/** SHA-256 of an embed token, 32 bytes: the only form that is stored. */
export type EmbedTokenHash = Uint8Array & { readonly [brand]: "EmbedTokenHash" };
/** Identifies an embed token without revealing it; the argument of `token revoke`. */
export type EmbedTokenId = Branded<"EmbedTokenId">;

export const INTENT_SEGMENT = "[a-z0-9]+([_-][a-z0-9]+)*";
export const INTENT_NAME_PATTERN = `^${INTENT_SEGMENT}(\\.${INTENT_SEGMENT})*$`;

/** Names an intent. */
export type IntentName = Branded<"IntentName">;
export const IntentName = Type.Unsafe<IntentName>(
  Type.String({
    pattern: INTENT_NAME_PATTERN,
    maxLength: 128,
    description: "Lower-case, dot-separated, as in `orders.status`",
  }),
);

/** The name under which documents answer; no intent may have it. */
export const KNOWLEDGE_INTENT = "knowledge" as IntentName;

const BASE62 = Buffer.from("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "latin1");

/** Fills the array with random bytes; `crypto.getRandomValues` outside tests. */
export type RandomBytes = (length: number) => Uint8Array;

export const secureRandomBytes: RandomBytes = (length) => crypto.getRandomValues(new Uint8Array(length));

/** Buffer in which ids are built letter by letter: five times as fast as appending to a string. Long enough for every id. */
const letters = Buffer.alloc(64);

/** `length` unbiased base62 characters: 5.95 random bits each. */
export function randomBase62(length: number, randomBytes: RandomBytes): string {
  putRandom(0, length, randomBytes);
  return letters.toString("latin1", 0, length);
}

/** `value` in base62, padded with zeros to `length` characters, so that text order is number order. */
export function toBase62(value: number, length: number): string {
  putNumber(value, 0, length);
  return letters.toString("latin1", 0, length);
}

function putRandom(start: number, end: number, randomBytes: RandomBytes): void {
  let at = start;
  while (at < end) {
    const bytes = randomBytes(end - at + 8);
    for (let i = 0; i < bytes.length && at < end; i += 1) {
      // 248 = 4 × 62. Bytes from 248 on are skipped: they would make the first eight characters more likely than the others.
      if (bytes[i]! < 248) letters[at++] = BASE62[bytes[i]! % 62]!;
    }
  }
}

function putNumber(value: number, start: number, end: number): void {
  let rest = value;
  for (let at = end - 1; at >= start; at -= 1) {
    const quotient = Math.floor(rest / 62);
    letters[at] = BASE62[rest - quotient * 62]!;
    rest = quotient;
  }
}

/**
 * A name whose text order is its order in time: milliseconds in nine base62 characters, then 22 random ones (131 bits).
 * New rows therefore land at the right edge of an index on it.
 */
function timeOrderedId(prefix: string, nowMs: number, randomBytes: RandomBytes): string {
  const start = letters.write(`${prefix}_`, "latin1");
  putNumber(nowMs, start, start + 9);
  putRandom(start + 9, start + 31, randomBytes);
  return letters.toString("latin1", 0, start + 31);
}

export function newConversationId(nowMs: number, randomBytes: RandomBytes): ConversationId {
  return timeOrderedId("cv", nowMs, randomBytes) as ConversationId;
}

export function newRequestId(nowMs: number, randomBytes: RandomBytes): RequestId {
  return timeOrderedId("rq", nowMs, randomBytes) as RequestId;
}

export function newHandoffId(nowMs: number, randomBytes: RandomBytes): HandoffId {
  return timeOrderedId("ho", nowMs, randomBytes) as HandoffId;
}

export function newDeliveryId(nowMs: number, randomBytes: RandomBytes): DeliveryId {
  return timeOrderedId("dl", nowMs, randomBytes) as DeliveryId;
}

/** Identifies one execution of an action; its endpoint gets it as `Idempotency-Key`. */
export function newActionId(nowMs: number, randomBytes: RandomBytes): string {
  return timeOrderedId("ac", nowMs, randomBytes);
}

export function newInstanceId(nowMs: number, randomBytes: RandomBytes): InstanceId {
  return timeOrderedId("in", nowMs, randomBytes) as InstanceId;
}

export function newEmbedTokenId(
  nowMs: number,
  randomBytes: RandomBytes,
  kind: "embed" | "server" = "embed",
): EmbedTokenId {
  return `${kind === "server" ? SERVER_TOKEN : "et_"}${toBase62(nowMs, 9)}${randomBase62(6, randomBytes)}` as EmbedTokenId;
}

const SERVER_TOKEN = "st_";

/** Whether the id is that of a server token: a secret of a program, which no browser may send. */
export function isServerTokenId(id: EmbedTokenId): boolean {
  return id.startsWith(SERVER_TOKEN);
}
