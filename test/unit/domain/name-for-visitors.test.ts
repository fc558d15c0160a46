import { expect, test } from "bun:test";

import { nameForVisitors } from "../../../src/domain/handoff.ts";

test.each([
  ["ann@example.com", "Ann"],
  ["ann", "Ann"],
  ["élodie@example.com", "Élodie"],
  ["Ann B.", "Ann B."],
  ["deBoer@example.com", "deBoer"],
  ["CRM of ann@example.com", "CRM of ann"],
  ["@example.com", "Operator"],
])("visitors read %p as %p", (operator, name) => {
  expect(nameForVisitors(operator)).toBe(name);
});
