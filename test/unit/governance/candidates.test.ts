import { describe, expect, test } from "bun:test";

import type { IntentName } from "../../../src/domain/ids.ts";
import {
  type CandidateEvidence,
  type MessageEvidence,
  weighCandidates,
} from "../../../src/governance/candidates.ts";

const ASKED: MessageEvidence = { words: 6, inScope: 0.5, isForeign: false };

const known = (more: Partial<CandidateEvidence>): CandidateEvidence => ({
  target: { kind: "passage", passage: 7, document: "d1", heading: "Prices" },
  nearness: { alone: -5 },
  grams: 0,
  coverage: 0,
  confidence: 0,
  isSubject: false,
  isOfDocument: false,
  ...more,
});
const HOURS = known({ target: { kind: "intent", intent: "hours" as IntentName }, confidence: 0.8 });

describe("candidates", () => {
  test("share one chance with nothing", () => {
    const { candidates, nothing } = weighCandidates([HOURS, known({})], ASKED);
    const total = candidates.reduce((sum, { chance }) => sum + chance, nothing);
    expect(total).toBeCloseTo(1);
  });

  test("a passage that holds what is asked goes before an intent that does not", () => {
    const august = known({ nearness: { alone: -3 }, grams: 0.2, coverage: 1 });
    const [best] = weighCandidates([HOURS, august], ASKED).candidates;
    expect(best!.target.kind).toBe("passage");
    expect(best!.speaking.words).toBeGreaterThan(0);
  });

  test("what is nearer behind what was said before counts in that reading, where the message leans on it", () => {
    const followed = known({ nearness: { alone: -9, inContext: -2 } });
    const other = known({
      target: { ...known({}).target, passage: 8 } as never,
      nearness: { alone: -6, inContext: -9 },
    });
    const { candidates } = weighCandidates([followed, other], { ...ASKED, leans: 0.9 });
    expect(candidates[0]).toMatchObject({ target: { passage: 7 }, reading: "in-context" });
  });

  test("words say nothing in another language", () => {
    const wordy = known({ grams: 0.2, coverage: 0.4 });
    const near = known({ target: { ...known({}).target, passage: 8 } as never, nearness: { alone: -4 } });
    const first = (isForeign: boolean) =>
      weighCandidates([wordy, near], { ...ASKED, isForeign }).candidates[0]!.target;
    expect(first(false)).toMatchObject({ passage: 7 });
    expect(first(true)).toMatchObject({ passage: 8 });
  });

  test("words alone decide where one of them was not encoded", () => {
    const { nearness: _, ...unencoded } = known({ grams: 0.3, coverage: 1 });
    const { usesMeaning, candidates } = weighCandidates([HOURS, unencoded], ASKED);
    expect(usesMeaning).toBe(false);
    expect(candidates[0]!.target.kind).toBe("passage");
    expect(candidates[0]!.speaking.meaning).toBeCloseTo(0, 0);
  });

  test("what is like nothing of the bot's is nothing of it", () => {
    const far = known({ nearness: { alone: -12 } });
    expect(weighCandidates([far], { ...ASKED, inScope: 0.01 }).nothing).toBeGreaterThan(0.9);
  });
});
