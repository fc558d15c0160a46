import { describe, expect, test } from "bun:test";

import * as fc from "fast-check";

import type { BotDocument } from "../../../src/domain/bot.ts";
import { parseBotFiles } from "../../../src/seed/bot-file.ts";
import { exportBot } from "../../../src/seed/export-bot.ts";

const line = fc.constantFrom(
  "yes",
  "no",
  "~",
  "null",
  "0x1F",
  "1e3",
  "- x",
  "a: b",
  "# c",
  "'",
  '"',
  "|",
  ">",
  "*a",
  "&a",
  "!t",
  "%",
  "@",
  "`",
  "\t",
  " lead",
  "trail ",
  "a\nb",
  "a\n\n  b\n",
  "\r\n",
  "\u0085",
  "\u2028",
  "\u00a0",
  "---",
  "...",
  "?",
  "<<",
  "2020-01-01",
  "\u{1F600}",
  "\uFEFF",
  "\u0001",
  "\u007f",
);
const text = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    line,
    fc.array(line, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("")),
  )
  .map((value) => value.replaceAll("\0", "0"))
  .filter((value) => value.length > 0 && value.length <= 60 && value.isWellFormed());
const json = fc
  .jsonValue({ maxDepth: 3 })
  .filter(
    (value) =>
      !/\\u(0000|d[89a-f])|__proto__/i.test(JSON.stringify(value)) && !JSON.stringify(value).includes("-0"),
  );
/** `__proto__` is no key of a bot file. */
const key = text.filter((name) => name !== "__proto__");
const intents = fc.uniqueArray(
  fc.record(
    {
      name: fc.constantFrom("a", "b.c", "d-e.f_g", "1"),
      label: text,
      examples: fc.array(text, { maxLength: 4 }),
      responses: fc.array(text, { minLength: 1, maxLength: 3 }),
      outputSchema: fc.oneof(fc.boolean(), fc.dictionary(key, json, { maxKeys: 3 })),
    },
    { requiredKeys: ["name"] },
  ),
  { selector: (intent) => intent.name },
);
const documents: fc.Arbitrary<BotDocument> = fc.record(
  {
    id: fc.constant("acme"),
    name: text,
    allowedDomains: fc.array(text, { maxLength: 3 }),
    enabled: fc.boolean(),
    welcomeMessage: text,
    monthlyMessageCap: fc.nat({ max: 1_000_000_000 }),
    intents,
    classifier: fc.record({ threshold: fc.double({ min: 0, max: 1, noNaN: true }).map(Math.abs) }),
    template: fc.record({
      id: text,
      bundleUrl: fc.constant("k.js"),
      options: fc.dictionary(key, json, { maxKeys: 3 }),
    }),
    tests: fc.array(fc.record({ utterance: text, response: text }), { maxLength: 2 }),
  },
  { requiredKeys: ["id", "name", "allowedDomains"] },
) as fc.Arbitrary<BotDocument>;

describe("an exported bot", () => {
  test("reads as the document that it was made from", () => {
    fc.assert(
      fc.property(documents, (document) => {
        const { bots, problems } = parseBotFiles([{ name: "export.yaml", text: exportBot(document) }], []);
        expect(problems.filter(({ severity }) => severity === "error")).toEqual([]);
        expect(bots[0]?.document).toEqual(document);
      }),
      { numRuns: 1000 },
    );
  });

  test("has its fields in the order of the reference, and long answers as blocks", () => {
    const written = {
      intents: [{ name: "hours", responses: ["We open:\n\n- **Mon–Fri** 9–18\n"] }],
      name: "Acme",
      allowedDomains: ["*"],
      id: "acme",
    };
    expect(exportBot(written as BotDocument)).toBe(
      'id: acme\nname: Acme\nallowedDomains:\n  - "*"\nintents:\n  - name: hours\n    responses:\n      - |\n        We open:\n\n        - **Mon–Fri** 9–18\n',
    );
  });
});
