import * as fc from "fast-check";

import { HOSTILE_TEXTS } from "../support/hostile-texts.ts";

/** Texts that programs stumble over: names of prototypes, signs of other formats, and Unicode at its edges. */
const STUMBLING_BLOCKS = [
  "",
  " ",
  "\0",
  "\n",
  "\r\n",
  "\t",
  "-",
  "--",
  "*",
  "%",
  "%00",
  "%FF",
  "..",
  "{}",
  "[]",
  "null",
  "true",
  "NaN",
  "Infinity",
  "1e999",
  "-0",
  "0x10",
  "9007199254740993",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "prototype",
  "\u{feff}",
  "\u200b\u200d\u2060",
  "\u202eabc",
  "\ud800",
  "\udfff\ud800",
  "a\u0300\u0301\u0302\u0303",
  "ﷺ",
  "🏳️‍🌈",
  "İıẞß",
  "Ａｃｍｅ",
  "xn--nxasmq6b",
  "٣٤",
  "<<: *a",
  "&a [*a]",
  "!!js/function",
  "${jndi:ldap://x}",
  "'; DROP TABLE turns; --",
];

/** A text, mostly an odd one. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...STUMBLING_BLOCKS, ...HOSTILE_TEXTS),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ maxLength: 20 }),
  fc
    .tuple(fc.constantFrom("a", "é", "\u0301", "🙂", "ab ", "(", "&"), fc.integer({ min: 1, max: 5000 }))
    .map(([unit, times]) => unit.repeat(times)),
);

/** A number as JSON may spell it, also beyond what a double holds. */
export const anyNumberText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("1e999", "-1e999", "-0", "0.1e-400", "9".repeat(400), `0.${"3".repeat(400)}`, "1E+2"),
  fc.double().map((number) => String(number)),
  fc.maxSafeInteger().map(String),
);

/** A value of any kind, nested a little. */
export const anyValue: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    anyText,
    fc.constantFrom(null, true, false, 0, -1, 1.5, 2 ** 53, Number.MAX_VALUE),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(anyText, tie("value"), { maxKeys: 4 }),
  ),
})).value;

/** JSON that is nested so deeply that who goes down by calls runs out of stack. */
export const deepJson: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(["[", "]"], ['{"a":', "}"], ['[{"a":', "}]"]),
    fc.integer({ min: 10, max: 10_000 }),
    fc.boolean(),
  )
  .map(([[open, close], depth, isClosed]) => `${open.repeat(depth)}0${isClosed ? close.repeat(depth) : ""}`);
