import type { HandoffRow } from "../../../domain/operator/handoffs.ts";

/** Whether no operator has joined yet, or the visitor has asked again since. The API counts by the same rule. */
export const isWaiting = ({ state, givenBackAt = 0, updatedAt }: HandoffRow): boolean =>
  state === "open" && givenBackAt < updatedAt;
