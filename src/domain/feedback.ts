import { type Static, Type } from "@sinclair/typebox";

import { named, oneOf } from "./schemas.ts";

/** Body of POST /feedback. Unknown fields are ignored. */
export const FeedbackRequest = named("FeedbackRequest", {
  conversationId: Type.String({ minLength: 1, description: "The conversation of the answer" }),
  requestId: Type.String({ minLength: 1, description: "The X-Request-Id of the answer" }),
  rating: oneOf(["up", "down"], { description: "Whether the answer helped; the last one counts" }),
  reason: Type.Optional(Type.String({ maxLength: 1000, description: "Why, in the visitor's words" })),
});
export type FeedbackRequest = Static<typeof FeedbackRequest>;

/** Whether an answer helped. */
export type Rating = FeedbackRequest["rating"];

/** A visitor's rating of an answer. */
export type Feedback = Pick<FeedbackRequest, "rating" | "reason">;
