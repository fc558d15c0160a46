import { expect, test } from "bun:test";

import { patternFault } from "../../../../src/governance/output/pattern-safety.ts";
import { growthOf } from "../../../support/growth.ts";

test.each([
  "^[a-z]+$",
  "^\\d{4}-\\d{2}-\\d{2}$",
  "^#[0-9a-fA-F]{6}$",
  "^https?://\\S+$",
  "foo",
  "^(yes|no|maybe)$",
  "^\\p{L}+$",
  "^[a-z0-9]+(-[a-z0-9]+)*$",
  "^([01]\\d|2[0-3]):[0-5]\\d$",
  "^€?\\d{1,6}([.,]\\d{2})?$",
  "^[\\s\\S]{10,2000}$",
  "^[A-Z][a-z]+( [A-Z][a-z]+)*$",
  "^(?!.*secret).*$",
  "^(?=.*\\d)(?=.*[a-z])(?!.*\\s).{8,64}$",
  "^(?!(?:a|b)\\)).*$",
  "^[(?=]+$",
  "^\\(?=$",
  "^\\\\1$",
])("runs the pattern %p", (pattern) => {
  expect(patternFault(pattern)).toBeUndefined();
});

test.each([
  "^(a+)+$",
  "^(a|a)*$",
  "^(a|aa)+$",
  "^(\\w+\\s?)*$",
  "^(a{1,100}){1,100}$",
  "^a*a*a*a*b$",
  "^(a?){50}a{50}$",
  "\\s+$",
  "x*y",
  "^(.*)(.*)$",
  "^.*a.*b.*c.*$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "^(\\d+\\s*)+$",
  "^(?:(?:a|b)*|[ab]*)*$",
])("refuses the pattern %p, which can take long", (pattern) => {
  expect(patternFault(pattern)).toStartWith("can take very long");
});

test.each([
  "b(?=[ab]*c)",
  "b(?![ab]*c)",
  "(?=.*x)",
  "^a*(?=b)",
  "^(?=a(?!b)).*$",
  "^(?:a(?=.*b))*$",
  "x|^(?=.*a)b",
  "(?<=a*)b",
  "^(?<!a*)b",
])("refuses the pattern %p, whose look-arounds nobody can vouch for", (pattern) => {
  expect(patternFault(pattern)).toStartWith("looks ahead or behind from within the text");
});

test.each(["^(?=(a+)+$)a", "^(?!.*a.*b.*c.*$)a", "^(?=a)(b+)+$"])(
  "refuses the pattern %p: at the start of a text, too, a look-ahead has to be fast",
  (pattern) => {
    expect(patternFault(pattern)).toStartWith("can take very long");
  },
);

test.each(["^(?!.*secret).*$", "^(?=.*\\d)(?=.*[a-z])(?!.*\\s).{8,64}$"])(
  "what is accepted with look-aheads takes time by the length of an answer: %p",
  async (pattern) => {
    expect(patternFault(pattern)).toBeUndefined();
    const compiled = new RegExp(pattern, "u");
    expect(await growthOf((length) => compiled.test(`${"s".repeat(length)}!`), 64 * 1024)).toBeLessThan(10);
  },
);

test.each([
  ["[", "is not a regular expression (missing terminating ] for character class)"],
  ["\\-", "is not a regular expression (invalid escaped character for Unicode pattern)"],
  ["(a)\\1", "uses a back-reference, which can take very long"],
  ["^a{1,100000}$", "repeats something more than 10000 times; use maxLength"],
  ["a".repeat(501), "is longer than 500 characters"],
])("refuses %p", (pattern, fault) => {
  expect(patternFault(pattern)).toBe(fault);
});
