import type { StoredFeedback } from "./interface/handoffs.ts";

export interface RatingRow {
  request_id: StoredFeedback["requestId"];
  rating: StoredFeedback["rating"];
  reason: string | null;
  at: number;
}

/** A rating as both engines give it. */
export function feedbackFromRow({ request_id: requestId, rating, reason, at }: RatingRow): StoredFeedback {
  return { requestId, rating, at, ...(reason !== null && { reason }) };
}
