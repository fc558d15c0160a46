import type { Change } from "../domain/change.ts";
import { type HandoffEvent, HandoffFields } from "../domain/handoff.ts";
import type { EpochMs } from "../domain/time.ts";
import type { HandoffOutcome, NewHandoff, PersonThere, StoredHandoff } from "./interface/handoffs.ts";
import { JsonColumn } from "./json-column.ts";

const FIELDS = new JsonColumn("handoffs.fields", HandoffFields);

/** A hand-off as both engines give it. */
export interface HandoffTableRow extends Pick<StoredHandoff, "id" | "state"> {
  conversation_id: StoredHandoff["conversationId"];
  bot_id: StoredHandoff["botId"];
  fields: string;
  shares_transcript: number | boolean;
  created_at: number;
  updated_at: number;
  /** NULL: nobody has been there. */
  given_back_at: number | null;
  operator: string | null;
  live_until: number | null;
  body_hash: Uint8Array | null;
}

/** The form of a row that is called `row` where it cannot be read. */
export function fieldsFromRow(fields: string, row: string): HandoffFields {
  return FIELDS.parse(fields, row);
}

export function handoffFromRow(row: HandoffTableRow): StoredHandoff {
  return {
    id: row.id,
    botId: row.bot_id,
    conversationId: row.conversation_id,
    state: row.state,
    fields: fieldsFromRow(row.fields, row.id),
    sharesTranscript: Boolean(row.shares_transcript),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.state === "open" && row.given_back_at && { givenBackAt: row.given_back_at }),
    ...(row.operator !== null && { operator: row.operator }),
    ...(row.live_until !== null && { liveUntil: row.live_until }),
  };
}

/** What is told of a change of a hand-off: who is there, but nothing of what is said. */
export function changeOf(
  kind: Extract<Change["kind"], `handoff.${string}`>,
  { id, botId, state }: StoredHandoff,
  next: StoredHandoff["state"],
): Change {
  const fields = [{ field: "state", before: state, after: next }];
  return { kind, subject: id, bots: [botId], fields };
}

/** Who is there from now on. */
export function stateEvent(
  state: StoredHandoff["state"],
  at: EpochMs,
  name?: string,
): Omit<HandoffEvent, "number"> {
  return { at, kind: "state", text: state, ...(name !== undefined && { name }) };
}

/** Whether the visitor has to learn of an end: that a person has gone, or that none is going to come. */
export function isToldOfEnd(state: StoredHandoff["state"], next: "open" | "closed"): boolean {
  return state === "live" || next === "closed";
}

/** Whether the bot is silent at an instant. */
export function isLiveAt({ state, liveUntil = 0 }: StoredHandoff, at: EpochMs): boolean {
  return state === "live" && liveUntil > at;
}

/** The operator who has taken a conversation over, at an instant. */
export function holderOf(handoff: StoredHandoff, at: EpochMs): string | undefined {
  return isLiveAt(handoff, at) ? handoff.operator : undefined;
}

/** Whether a hand-off stays with whoever has it. Two operators who take it at a time would else both believe that they have it. */
export function isHeldByOther(
  holder: string | undefined,
  { operator }: PersonThere,
  from: string | undefined,
): holder is string {
  return holder !== undefined && holder !== operator && holder !== from;
}

/** A hand-off that a key has opened, or completed. */
export interface KeyedRow extends HandoffTableRow {
  /** 1: it was there before the key. */
  is_completed: number;
}

/** What a key that was used before comes to. */
export function repeatedHandoff(row: KeyedRow, { idempotency }: NewHandoff): HandoffOutcome {
  const isSame = Buffer.from(row.body_hash ?? []).equals(idempotency!.bodyHash);
  if (!isSame) return { outcome: "key_reused" };
  return { outcome: "repeated", handoff: handoffFromRow(row), isNew: row.is_completed === 0 };
}
