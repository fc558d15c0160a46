import { expect, test } from "bun:test";

import { withoutCommonAddressParts } from "../../../../src/governance/disguise/plain-word.ts";

const stripped = (text: string, ...known: string[]): string =>
  withoutCommonAddressParts(text, (word) => known.includes(word.toLowerCase()));

test.each([
  ["https://www.example.com/orders/12", "example/orders/12"],
  ["mail me at ada@example.org please", "mail me at ada@example please"],
  ["HTTP://EXAMPLE.NET?q=delete+it", "EXAMPLE?q=delete+it"],
  ["this is not.common, nor network", "this is not.common, nor network"],
])("%s says only what sets its address apart", (text, expected) => {
  expect(stripped(text)).toBe(expected);
});

test("a part that an example says stays, and no other", () => {
  expect(stripped("ASP.NET hosting on https://example.com", "net")).toBe("ASP.NET hosting on example");
  expect(stripped("https://example.com", "https", "com")).toBe("https://example.com");
});
