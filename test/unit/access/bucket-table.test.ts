import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { BucketTable } from "../../../src/access/bucket-table.ts";

/** Callers whose searches begin at few places, so that they stand in each other's way. */
const callers = fc.record({ low: fc.integer({ min: 0, max: 40 }), high: fc.integer({ min: 0, max: 3 }) });
const steps = fc.array(fc.tuple(callers, fc.boolean()), { maxLength: 300 });

describe("the table of buckets", () => {
  test("holds what a map holds, whatever comes and goes", () => {
    fc.assert(
      fc.property(steps, (sequence) => {
        const table = new BucketTable();
        const expected = new Map<string, number>();
        for (const [index, [caller, stays]] of sequence.entries()) {
          const name = `${caller.low} ${caller.high}`;
          const found = table.find(caller);
          expect(found >= 0).toBe(expected.has(name));
          if (stays) {
            const place = found < 0 ? table.add(caller) : found;
            table.records.setBucket(place, index, -index, 7);
            expected.set(name, index);
          } else if (found >= 0) {
            table.removeAt(found);
            expected.delete(name);
          }
          expect(table.size).toBe(expected.size);
        }
        for (const [name, value] of expected) {
          const [low, high] = name.split(" ").map(Number);
          const place = table.find({ low: low!, high: high! });
          const { records } = table;
          expect([records.debtOf(place), records.atOf(place), records.refillOf(place)]).toEqual([
            value,
            -value,
            7,
          ]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("takes at most 85 bytes for a caller, from a few hundred on", () => {
    const table = new BucketTable();
    for (let caller = 0; caller < 200_000; caller++) {
      table.add({ low: Math.imul(caller, 0x9e_37_79_b1) >>> 0, high: caller });
      if (caller > 200) expect((32 * table.records.length) / table.size).toBeLessThan(86);
    }
  });
});
