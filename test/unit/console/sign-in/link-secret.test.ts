import { expect, test } from "bun:test";

import { linkSecretIn } from "../../../../src/console/pages/sign-in/link-secret.ts";

test.each([
  ["#link=0123456789abcdefghijABCDEFGHIJ0123456789abc", "0123456789abcdefghijABCDEFGHIJ0123456789abc"],
  ["#link=%", "%"],
  ["#link=%41", "%41"],
  ["#link=", undefined],
  ["#top", undefined],
  ["", undefined],
])("the fragment %j carries the secret %j, and a damaged one breaks no page", (fragment, secret) => {
  expect(linkSecretIn(fragment)).toBe(secret);
});
