import { expect, test } from "bun:test";

import { closestName, editDistance } from "../../../src/domain/closest-name.ts";

test("counts insertions, deletions and replacements", () => {
  expect(editDistance("", "abc")).toBe(3);
  expect(editDistance("kitten", "sitting")).toBe(3);
  expect(editDistance("same", "same")).toBe(0);
});

test("finds the name that was mistyped", () => {
  expect(closestName("orders.statsu", ["orders.cancel", "orders.status"])).toBe("orders.status");
});

test("finds nothing when no name is near", () => {
  expect(closestName("weather", ["orders.cancel", "orders.status"])).toBeUndefined();
});
