import { expect, test } from "bun:test";

import { intentNameInWords } from "../../../src/domain/intent-pattern.ts";

test("an intent's name is all of it in words: `orders.cancel` is no mere `cancel`", () => {
  expect(intentNameInWords("a.b.change-of_address")).toBe("a b change of address");
});
