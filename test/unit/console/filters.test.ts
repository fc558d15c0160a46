import { expect, test } from "bun:test";

import { parseSearch } from "../../../src/console/pages/conversations/filters.ts";

test("a filter with an unknown value is no search text; the allowed values are listed", () => {
  expect(parseSearch("order decision:foo")).toMatchObject({
    q: "order",
    decision: undefined,
    fault: "`decision:` takes one of answered, asked, unmatched, refused, failed.",
  });
  expect(parseSearch("rating:bad").fault).toBe("`rating:` takes one of up, down.");
  expect(parseSearch("order decision:refused")).toMatchObject({ q: "order", decision: "refused" });
});
