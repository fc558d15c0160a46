import { expect, test } from "bun:test";

import { matchPath } from "../../../src/console/page.ts";

test.each([
  ["/", "/", {}],
  ["/conversations/:id?", "/conversations", {}],
  ["/conversations/:id?", "/conversations/cv_1", { id: "cv_1" }],
  ["/bots/:bot/:tab?", "/bots/a%20b/intents", { bot: "a b", tab: "intents" }],
  ["/bots/:bot", "/bots/100%", { bot: "100%" }],
  ["/bots/:bot", "/bots", undefined],
  ["/tokens", "/tokens/more", undefined],
  ["/tokens", "/models", undefined],
] as const)("%s at %s", (template, path, params) => {
  expect(matchPath(template, path)).toEqual(params as Record<string, string> | undefined);
});
