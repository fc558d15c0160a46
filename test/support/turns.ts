import type { Suggestion } from "../../src/domain/chat.ts";
import type { Turn } from "../../src/domain/conversation.ts";
import type { IntentName } from "../../src/domain/ids.ts";

/** An allowed turn of a first version; `fields` sets what a test is about. */
export function turnWith(fields: Pick<Turn, "requestId" | "at"> & Partial<Turn>): Turn {
  return {
    botVersion: 1,
    state: "complete",
    input: "hello",
    response: "Hello.",
    metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
    receipt: {
      botVersion: 1,
      rule: "best-intent",
      thresholds: { match: 0.5, deny: 0.3 },
      readings: [],
      stagesMs: {},
    },
    ...fields,
  };
}

/** Offered intents, each with its own name as label. */
export function suggestionsOf(...names: string[]): Suggestion[] {
  return names.map((name) => ({ intent: name as IntentName, label: name }));
}
