import type { Change } from "../domain/change.ts";
import { HANDOFF_FIELDS, type HandoffEvent, HandoffFields, MAX_MESSAGES_LENGTH } from "../domain/handoff.ts";
import type { EpochMs } from "../domain/time.ts";
import type { HandoffOutcome, NewHandoff, PersonThere, StoredHandoff } from "./interface/handoffs.ts";
import { JsonColumn } from "./json-column.ts";

const FIELDS = new JsonColumn("handoffs.fields", HandoffFields);

/** A hand-off as statements read it; NULL columns are left out. */
export interface HandoffRow extends Omit<StoredHandoff, "fields" | "sharesTranscript"> {
  fields: string;
  /** 0 or 1 in SQLite. */
  sharesTranscript: number | boolean;
}

/** The form of a row; `row` names the row in the error if its JSON cannot be read. */
export function fieldsFromRow(fields: string, row: string): HandoffFields {
  return FIELDS.parse(fields, row);
}

export function handoffFromRow({ givenBackAt, ...row }: HandoffRow): StoredHandoff {
  return {
    ...row,
    fields: fieldsFromRow(row.fields, row.id),
    sharesTranscript: Boolean(row.sharesTranscript),
    ...(row.state === "open" && givenBackAt !== undefined && { givenBackAt }),
  };
}

/** The change for a hand-off's new state: it names the operator, but holds no text of the conversation. */
export function changeOf(
  kind: Extract<Change["kind"], `handoff.${string}`>,
  { id, botId, state }: StoredHandoff,
  next: StoredHandoff["state"],
): Change {
  const fields = [{ field: "state", before: state, after: next }];
  return { kind, subject: id, bots: [botId], fields };
}

/** The event for a hand-off's new state, with the operator's name. */
export function stateEvent(
  state: StoredHandoff["state"],
  at: EpochMs,
  name?: string,
): Omit<HandoffEvent, "number"> {
  return { at, kind: "state", text: state, ...(name !== undefined && { name }) };
}

/** Whether the visitor must be shown the end of a hand-off: an operator has left, or will not come. */
export function isEndShown(state: StoredHandoff["state"], next: "open" | "closed"): boolean {
  return state === "live" || next === "closed";
}

/** Whether an operator has the conversation at an instant, so that the bot is silent. */
export function isLiveAt({ state, liveUntil = 0 }: StoredHandoff, at: EpochMs): boolean {
  return state === "live" && liveUntil > at;
}

/** The operator who has taken a conversation over, at an instant. */
export function holderOf(handoff: StoredHandoff, at: EpochMs): string | undefined {
  return isLiveAt(handoff, at) ? handoff.operator : undefined;
}

/**
 * Whether the hand-off belongs to another operator. Two operators who take it at the same time would otherwise both believe that they have
 * it.
 */
export function isHeldByOther(
  holder: string | undefined,
  { operator }: PersonThere,
  from: string | undefined,
): holder is string {
  return holder !== undefined && holder !== operator && holder !== from;
}

/** A hand-off that an idempotency key has opened or completed. */
export interface KeyedRow extends HandoffRow {
  bodyHash?: Uint8Array;
  /** 1: the key completed a hand-off that was already open. */
  isCompleted: number;
}

/** The outcome of a key that was used before. */
export function repeatedHandoff(
  { bodyHash, isCompleted, ...row }: KeyedRow,
  { idempotency }: NewHandoff,
): HandoffOutcome {
  const isSame = Buffer.from(bodyHash ?? []).equals(idempotency!.bodyHash);
  if (!isSame) return { outcome: "key_reused" };
  return { outcome: "repeated", handoff: handoffFromRow(row), isNew: isCompleted === 0 };
}

/** The outcome when the visitor of an open hand-off asks again. */
export type HandoffCompletion =
  | { kind: "unchanged" }
  | { kind: "too_long" }
  | { kind: "completed"; fields: HandoffFields; sharesTranscript: boolean; at: EpochMs };

const BETWEEN = "\n\n";

/**
 * Merges a repeated request into an open hand-off: new fields replace old ones, the message is appended, and permission to share the
 * transcript stays once given. The same message again, as from a client that retries without a key, is not appended twice. Pure.
 */
export function completionOf(open: StoredHandoff, asked: NewHandoff): HandoffCompletion {
  const message = withMessage(open.fields.message, asked.fields.message);
  const fields: HandoffFields = {
    ...open.fields,
    ...asked.fields,
    ...(message !== undefined && { message }),
  };
  const sharesTranscript = open.sharesTranscript || asked.sharesTranscript;
  const isSame = HANDOFF_FIELDS.every((field) => fields[field] === open.fields[field]);
  if (isSame && sharesTranscript === open.sharesTranscript) return { kind: "unchanged" };
  if (message !== undefined && message.length > MAX_MESSAGES_LENGTH) return { kind: "too_long" };
  // Later than the opening, so that a delivery can distinguish a completion from the opening.
  return { kind: "completed", fields, sharesTranscript, at: Math.max(asked.at, open.createdAt + 1) };
}

function withMessage(first: string | undefined, next: string | undefined): string | undefined {
  if (first === undefined || next === undefined) return next ?? first;
  const isThere = `${BETWEEN}${first}${BETWEEN}`.includes(`${BETWEEN}${next}${BETWEEN}`);
  return isThere ? first : `${first}${BETWEEN}${next}`;
}
