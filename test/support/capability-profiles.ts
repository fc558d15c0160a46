import * as fc from "fast-check";

import type { CapabilityProfile } from "../../src/domain/bot.ts";
import type { IntentName } from "../../src/domain/ids.ts";

const segment = fc.constantFrom("a", "b", "ab", "c", "a_b");
const name = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join("."));

/** Few segments, so that patterns and intents often meet. */
export const anyIntent = name.map((text) => text as IntentName);

export const anyPattern = fc.oneof(
  { weight: 4, arbitrary: name },
  { weight: 3, arbitrary: name.map((prefix) => `${prefix}.*`) },
  { weight: 1, arbitrary: fc.constant("*") },
);

export const anyProfile: fc.Arbitrary<CapabilityProfile> = fc.record(
  { allow: fc.array(anyPattern, { maxLength: 4 }), deny: fc.array(anyPattern, { maxLength: 3 }) },
  { requiredKeys: [] },
);
