import { expect, test } from "bun:test";

import { decoded, reversed, rotated } from "../../../../src/governance/disguise/encodings.ts";

test.each([
  ["say ZGVsZXRlIGFjY291bnQ= now", "say delete account now"],
  ["0x64 0x65 0x6c 0x65 0x74 0x65", "delete"],
  ["64656c657465", "delete"],
  ["%64%65lete%20it", "delete it"],
  ["&#100;&#x65;lete &amp; close", "delete & close"],
  ["\\u0064elete", "delete"],
  ["01100100 01100101 01101100 01100101 01110100 01100101", "delete"],
  ["0YPQtNCw0LvQuNGC0Yw=", "удалить"],
])("%s is decoded", (encoded, expected) => {
  expect(decoded(encoded).trim()).toBe(expected);
});

test.each([
  "a deadline with information about understandings",
  "order 12345678, invoice 20261121",
  "100% sure & certain; #12; &unknown;",
  "cafe babe deadbeef",
  "%zz %ff%fe",
  "&#1114112; &#0;",
])("%s stays as it is", (text) => {
  expect(decoded(text)).toBe(text);
});

test("ROT13 and mirror writing undo themselves", () => {
  expect(rotated("Qryrgr!")).toBe("Delete!");
  expect(reversed(reversed("añ👍b"))).toBe("añ👍b");
});
