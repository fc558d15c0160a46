import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import { closestName, didYouMean, editDistance } from "../../../src/domain/closest-name.ts";

describe("the closest name", () => {
  test.each([
    ["alowedDomains", "allowedDomains"],
    ["nmae", "name"],
    ["acme", "acme-support"],
    ["acme-suport", "acme-support"],
    ["", undefined],
    ["zzzzzz", undefined],
  ])("takes %p for %p", (given, meant) => {
    expect(closestName(given, ["allowedDomains", "name", "acme-support"])).toBe(meant as string);
  });

  test("prefers the closer of two candidates, and the first of two equals", () => {
    expect(closestName("abcdef", ["abcxyf", "abcdxf"])).toBe("abcdxf");
    expect(closestName("abcdef", ["abcdeg", "abcdeh"])).toBe("abcdeg");
  });

  test("counts a swap of neighbours as one edit", () => {
    expect(editDistance("nmae", "name")).toBe(1);
    expect(editDistance("kitten", "sitting")).toBe(3);
  });

  test("says nothing when no candidate is near", () => {
    expect(didYouMean("x", ["orders"])).toBe("");
    expect(didYouMean("oders", ["orders"])).toBe("; did you mean `orders`?");
  });

  test("has a distance that is symmetric and zero only for equal texts", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 12 }), (left, right) => {
        expect(editDistance(left, right)).toBe(editDistance(right, left));
        expect(editDistance(left, right) === 0).toBe(left === right);
      }),
    );
  });
});
