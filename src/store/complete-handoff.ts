import { HANDOFF_FIELDS, type HandoffFields, LONGEST_MESSAGES } from "../domain/handoff.ts";
import type { EpochMs } from "../domain/time.ts";
import type { NewHandoff, StoredHandoff } from "./interface/handoffs.ts";

/** What becomes of an open hand-off when its visitor asks again. */
export type HandoffCompletion =
  | { kind: "unchanged" }
  | { kind: "too_long" }
  | { kind: "completed"; fields: HandoffFields; sharesTranscript: boolean; at: EpochMs };

const BETWEEN = "\n\n";

/**
 * What is given takes the place of what was; a message is added to the first. Once the transcript may be shared, it may. A message that is
 * there already, as that of a client which asks again without a key, is not added twice. Pure.
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
  if (message !== undefined && message.length > LONGEST_MESSAGES) return { kind: "too_long" };
  // Later than the opening, so that a delivery can tell which of the two it is of.
  return { kind: "completed", fields, sharesTranscript, at: Math.max(asked.at, open.createdAt + 1) };
}

function withMessage(first: string | undefined, next: string | undefined): string | undefined {
  if (first === undefined || next === undefined) return next ?? first;
  const isThere = `${BETWEEN}${first}${BETWEEN}`.includes(`${BETWEEN}${next}${BETWEEN}`);
  return isThere ? first : `${first}${BETWEEN}${next}`;
}
