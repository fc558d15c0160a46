import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { Classification } from "../../../../src/domain/decision.ts";
import { DEFAULT_DENY_THRESHOLD } from "../../../../src/governance/policy.ts";
import type { DeniedClause } from "../../../../src/governance/suspicion/clauses.ts";
import {
  clausePlausibility,
  leadForChance,
  plausibilityOf,
} from "../../../../src/governance/suspicion/plausibility.ts";

const said = (...confidences: number[]): Classification => ({
  scores: [],
  confidences: Float32Array.from(confidences),
  inScope: 1,
  confidence: 1,
});
const standings = { denied: [0, 1], allowed: [2] };
const clause = (atSeams: number, anywhere: number): DeniedClause => ({
  from: 0,
  to: 1,
  intent: 0,
  atSeams,
  anywhere,
});

describe("the plausibility of a whole message", () => {
  test("is nought when no denied intent has a chance", () => {
    expect(plausibilityOf(said(0, 0, 0.9), standings)).toBe(0);
  });

  test("adds up all denied intents", () => {
    expect(plausibilityOf(said(0.3, 0.3, 0.1), standings)).toBeGreaterThan(
      plausibilityOf(said(0.3, 0, 0.1), standings),
    );
  });

  test("falls with what speaks for allowed intents, and not with what speaks for others", () => {
    const alone = plausibilityOf(said(0.4, 0, 0, 0), standings);
    expect(plausibilityOf(said(0.4, 0, 0.4, 0), standings)).toBeLessThan(alone);
    expect(plausibilityOf(said(0.4, 0, 0, 0.4), standings)).toBe(alone);
  });

  test("is small for a text that is hardly in scope, even if nothing else has a chance", () => {
    expect(plausibilityOf(said(0.05, 0, 0), standings)).toBeLessThan(DEFAULT_DENY_THRESHOLD / 2);
  });
});

describe("the plausibility of a clause", () => {
  const lead = fc.double({ min: -5, max: 5, noNaN: true });
  const chance = fc.double({ min: 0, max: 1, noNaN: true });

  test("is a chance that never falls when any evidence rises", () => {
    fc.assert(
      fc.property(
        lead,
        lead,
        chance,
        lead,
        lead,
        chance,
        (seams, anywhere, whole, seams2, anywhere2, whole2) => {
          const less = clausePlausibility(
            clause(Math.min(seams, seams2), Math.min(anywhere, anywhere2)),
            Math.min(whole, whole2),
          );
          const more = clausePlausibility(
            clause(Math.max(seams, seams2), Math.max(anywhere, anywhere2)),
            Math.max(whole, whole2),
          );
          expect(less).toBeLessThanOrEqual(more);
          expect(less).toBeGreaterThanOrEqual(0);
          expect(more).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  test("does without seams", () => {
    expect(clausePlausibility(clause(-Infinity, 2), 0.1)).toBeGreaterThan(0);
  });
});

describe("the lead that a chance takes", () => {
  const chance = fc.double({ min: 0.001, max: 0.999, noNaN: true });
  const atSeams = fc.oneof(fc.constant(-Infinity), fc.double({ min: -2, max: 3, noNaN: true }));

  test("is the least that has it", () => {
    fc.assert(
      fc.property(chance, atSeams, chance, (wanted, seams, whole) => {
        const lead = leadForChance(wanted, seams, whole);
        fc.pre(lead < Infinity);
        expect(clausePlausibility(clause(seams, lead + 1e-4), whole)).toBeGreaterThan(wanted);
        expect(clausePlausibility(clause(seams, lead - 1e-4), whole)).toBeLessThan(wanted);
      }),
    );
  });

  test("is infinite where no lead has it", () => {
    expect(leadForChance(0.9, -Infinity, 0)).toBe(Infinity);
    expect(clausePlausibility(clause(-Infinity, 1e9), 0)).toBeLessThan(0.9);
  });
});
