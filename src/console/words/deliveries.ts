import type { DeliveryRow } from "../../domain/operator/handoffs.ts";

/** Events in words. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  "handoff.requested": "A visitor asked for a person",
  "feedback.given": "An answer was rated",
  "turn.refused": "A message was refused",
  "turn.unmatched": "A message was not understood",
  "action.done": "An action was completed",
  "action.failed": "An action was not completed",
  "cap.near": "A monthly cap is nearly used up",
};

/** An event in words; an unknown event is shown by its name. */
export const eventInWords = (event: string): string => EVENT_WORDS[event] ?? event;

export const STATE_WORDS: Readonly<Record<DeliveryRow["state"], string>> = {
  waiting: "Waiting",
  delivered: "Delivered",
  "given-up": "Failed",
};

export const CHANNEL_WORDS: Readonly<Record<DeliveryRow["channel"], string>> = {
  webhook: "Webhook",
  mail: "E-mail",
};
