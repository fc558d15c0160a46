import type { LoadedBot } from "../../bots/loaded-bot.ts";
import { ServiceError } from "../../domain/errors.ts";
import {
  DEFAULT_HANDOFF_FIELDS,
  HANDOFF_FIELDS,
  type HandoffRequest,
  type HandoffResponse,
  MAX_MESSAGES_LENGTH,
} from "../../domain/handoff.ts";
import type { ConversationId, HandoffId } from "../../domain/ids.ts";
import { sha256 } from "../../domain/sha256.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import type { NewHandoff } from "../../store/interface/handoffs.ts";
import type { Handoffs } from "../../store/interface/store.ts";
import type { TurnStore } from "../../store/turn-store.ts";
import { ownKey, type SentKey } from "../idempotency-key.ts";
import { type RecipientParts, recipientsOf } from "../notices/recipients.ts";

/** The parts that a hand-off uses. */
export interface HandoffParts {
  store: Pick<TurnStore, "findConversation"> & { handoffs: Pick<Handoffs, "open"> };
  now: Now;
  newConversationId: () => ConversationId;
  newHandoffId: () => HandoffId;
  /** Conversations with an older last turn have expired. */
  conversationsNotBefore: () => EpochMs;
  notifier: RecipientParts & { nudge: () => void };
}

/** A request for a person to a bot. */
export interface PersonRequest {
  bot: LoadedBot;
  request: HandoffRequest;
  idempotencyKey?: SentKey;
}

/**
 * Stores a request for a person. A conversation has one hand-off at a time: a further request updates it, and the team is notified again.
 * An unknown or expired id, or one of another bot, starts a new conversation, as for a message.
 *
 * @throws ServiceError FORBIDDEN (the bot has no hand-off) | INVALID_REQUEST (the messages become too long; status 422: the key was used
 * for another body) | NOT_FOUND | STORAGE_UNAVAILABLE
 */
export async function askForPerson(
  parts: HandoffParts,
  { bot, request, idempotencyKey }: PersonRequest,
): Promise<HandoffResponse> {
  if (bot.document.handoff === undefined) throw noPerson();
  const { conversationId, shareTranscript: sharesTranscript = false } = request;
  const handoff: NewHandoff = {
    id: parts.newHandoffId(),
    bot: bot.key,
    conversationId: await conversationOf(parts, bot, conversationId),
    fields: fieldsOf(bot, request),
    sharesTranscript,
    at: parts.now(),
    deliveries: recipientsOf(parts.notifier, bot.document, "handoff.requested"),
    ...(idempotencyKey !== undefined && { idempotency: hashesOf(idempotencyKey, request) }),
  };
  const opened = await parts.store.handoffs.open(handoff);
  if (opened.outcome === "key_reused") throw keyReused();
  if (opened.outcome === "too_long") throw tooLong();
  if (opened.outcome === "bot_deleted") throw new ServiceError("NOT_FOUND", "There is no such bot.");
  parts.notifier.nudge();
  const { id: handoffId, conversationId: stored, state } = opened.handoff;
  return { handoffId, conversationId: stored, state, isNew: opened.isNew };
}

async function conversationOf(
  { store, conversationsNotBefore, newConversationId }: HandoffParts,
  bot: LoadedBot,
  id: string | undefined,
): Promise<ConversationId> {
  const found = id && (await store.findConversation(id, bot.key, conversationsNotBefore()));
  return found ? found.id : newConversationId();
}

/** The fields of the bot's form; others are not stored. */
function fieldsOf({ document }: LoadedBot, request: HandoffRequest): NewHandoff["fields"] {
  const asked = document.handoff?.fields ?? DEFAULT_HANDOFF_FIELDS;
  const given = HANDOFF_FIELDS.filter((field) => asked.includes(field) && request[field] !== undefined);
  return Object.fromEntries(given.map((field) => [field, request[field]!.trim()]));
}

function hashesOf(sent: SentKey, request: HandoffRequest) {
  const { botId, conversationId, shareTranscript = false } = request;
  const texts = HANDOFF_FIELDS.map((field) => request[field] ?? null);
  return {
    keyHash: sha256(`${sent.embedToken} ${ownKey(sent, conversationId)}`),
    bodyHash: sha256(JSON.stringify([botId, conversationId ?? null, shareTranscript, ...texts])),
  };
}

function noPerson(): ServiceError {
  return new ServiceError("FORBIDDEN", "This bot has no hand-off: its bot file has no `handoff`.");
}

function tooLong(): ServiceError {
  const detail = `must leave the messages of the hand-off together at ${MAX_MESSAGES_LENGTH} characters at most; it is open already, and holds those that were sent before`;
  return new ServiceError("INVALID_REQUEST", `The request body is not valid: \`message\` ${detail}.`, {
    errors: [{ pointer: "/message", detail }],
  });
}

function keyReused(): ServiceError {
  return new ServiceError(
    "INVALID_REQUEST",
    "The Idempotency-Key was used for another hand-off; send a new key with a new body.",
    { status: 422 },
  );
}
