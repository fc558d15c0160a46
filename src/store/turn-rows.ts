import { ActionMemory, actionMetadataOf } from "../domain/action.ts";
import { type ChatMetadata, Suggestion } from "../domain/chat.ts";
import { type ConversationHistory, isToPersonOf, type PastTurn, type Turn } from "../domain/conversation.ts";
import { DecisionReceipt } from "../domain/decision.ts";
import type { BotId, ConversationId, IntentName, RequestId } from "../domain/ids.ts";
import { listOf } from "../domain/schemas.ts";
import { Subject } from "../domain/subject.ts";
import type { EpochMs } from "../domain/time.ts";
import { handoffOffer } from "../text/given-data.ts";
import type { ActionTurn, StoredTurn, TurnKey } from "./interface/conversations.ts";
import { JsonColumn } from "./json-column.ts";

/** Columns of a turn that are read for the next turn. */
export interface PastTurnRow {
  key: TurnKey;
  request_id: RequestId;
  at: number;
  state: Turn["state"];
  input: string;
  response: string;
  intent: IntentName | null;
  response_index: number | null;
  capability_allowed: boolean | number;
  /** JSON. */
  subject: string | null;
  /** JSON. */
  action: string | null;
  /** A JSON list; only if past turns are read for the next one, as usual. */
  suggestions?: string | null;
  /** Only for turns without an intent. */
  rule?: DecisionReceipt["rule"] | null;
}

/** The columns of hand-offs that are read with a conversation. */
export interface HandoffRow {
  live_until: EpochMs | null;
  handoff_at: EpochMs | null;
}

/** A turn with the names of its bot and conversation. */
export interface TurnRow extends PastTurnRow {
  bot_id: BotId;
  conversation_id: ConversationId;
  bot_version: number;
  enforcement_reason: ChatMetadata["enforcementReason"] | null;
  schema_enforced: boolean | number;
  schema_fallback_used: boolean | number;
  schema_validation_error: string | null;
  receipt: string;
  standalone: string | null;
}

const RECEIPTS = new JsonColumn("turns.receipt", DecisionReceipt);
const ACTIONS = new JsonColumn("turns.action", ActionMemory);
const SUBJECTS = new JsonColumn("turns.subject", Subject);
const SUGGESTIONS = new JsonColumn("turns.receipt.suggestions", listOf(Suggestion));

/** The columns from `response` on, in the order of the table. */
export function answerColumns(turn: Turn) {
  const { response, intent, metadata, responseIndex, subject, standalone, action, receipt } = turn;
  return [
    response,
    intent ?? null,
    Number(metadata.capabilityAllowed),
    metadata.enforcementReason ?? null,
    Number(metadata.schemaEnforced),
    Number(metadata.schemaFallbackUsed),
    metadata.schemaValidationError ?? null,
    responseIndex ?? null,
    subject === undefined ? null : JSON.stringify(subject),
    standalone ?? null,
    action === undefined ? null : JSON.stringify(action),
    JSON.stringify(receipt),
  ];
}

export function toPastTurn(row: PastTurnRow): PastTurn {
  return {
    requestId: row.request_id,
    at: row.at,
    state: row.state,
    input: row.input,
    response: row.response,
    capabilityAllowed: Boolean(row.capability_allowed),
    ...(row.intent !== null && { intent: row.intent }),
    ...(row.response_index !== null && { responseIndex: row.response_index }),
    ...(row.subject !== null && { subject: SUBJECTS.parse(row.subject, `turn ${row.key}`) }),
    ...(row.action !== null && { action: ACTIONS.parse(row.action, `turn ${row.key}`) }),
    ...(row.rule && isToPersonOf({ rule: row.rule })),
    ...(row.suggestions && { suggestions: SUGGESTIONS.parse(row.suggestions, `turn ${row.key}`) }),
  };
}

export function handoffOf({
  live_until: liveUntil,
  handoff_at: handoffAt,
}: HandoffRow): Pick<ConversationHistory, "liveUntil" | "handoffAt"> {
  return { ...(liveUntil !== null && { liveUntil }), ...(handoffAt !== null && { handoffAt }) };
}

export function toTurn(row: TurnRow): StoredTurn {
  const { capabilityAllowed, ...past } = toPastTurn(row);
  const receipt = RECEIPTS.parse(row.receipt, `turn ${row.key} (${row.request_id})`);
  return {
    ...past,
    botId: row.bot_id,
    conversationId: row.conversation_id,
    botVersion: row.bot_version,
    ...(row.standalone !== null && { standalone: row.standalone }),
    metadata: {
      capabilityAllowed,
      ...(row.enforcement_reason && { enforcementReason: row.enforcement_reason }),
      schemaEnforced: Boolean(row.schema_enforced),
      schemaFallbackUsed: Boolean(row.schema_fallback_used),
      ...(row.schema_validation_error !== null && { schemaValidationError: row.schema_validation_error }),
      ...(receipt.suggestions && { suggestions: [...receipt.suggestions] }),
      ...(receipt.knowledge?.sources && { sources: [...receipt.knowledge.sources] }),
      ...(receipt.next && { next: [...receipt.next] }),
      ...actionMetadataOf(receipt.action),
      ...offerOf(receipt, row.input),
    },
    receipt,
  };
}

/** The columns of a turn that are about actions. */
export interface ActionTurnRow extends Pick<TurnRow, "request_id" | "at" | "action"> {
  /** JSON; null if no action is known. */
  receipt: string | null;
}

export function toActionTurn({ request_id: requestId, at, action, receipt }: ActionTurnRow): ActionTurn {
  const place = `turn ${requestId}`;
  const ofAction = receipt === null ? undefined : RECEIPTS.parse(receipt, place).action;
  return {
    requestId,
    at,
    ...(action !== null && { action: ACTIONS.parse(action, place) }),
    ...(ofAction && { receipt: ofAction }),
  };
}

function offerOf({ rule, offersPerson }: DecisionReceipt, input: string): Pick<ChatMetadata, "handoff"> {
  if (rule === "handed-over") return { handoff: { state: "live" } };
  return offersPerson ? { handoff: handoffOffer(rule, input) } : {};
}
