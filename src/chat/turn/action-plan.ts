import type { Step } from "../../action/dialogue.ts";
import type { ActionMemory } from "../../domain/action.ts";

/** What a turn is to do for an action. */
export interface ActionPlan {
  step: Step;
  /** What was known before this turn. */
  before: ActionMemory | undefined;
  /** Values that were joined are denied: nothing was filled. */
  isDenied?: true;
}

/** Whether an endpoint is to be called: then the turn is on disk, and counted, before. Pure. */
export function callsEndpoint(plan: ActionPlan | undefined): boolean {
  return plan?.step.kind === "call";
}

/** Whether the action alone answers the message. Pure. */
export function speaksForItself({ action }: { action?: ActionPlan }): boolean {
  const { step } = action ?? {};
  if (step === undefined || step.kind === "none" || step.kind === "aside") return false;
  return step.kind !== "end" || step.why === "cancelled";
}
