import { describe, expect, test } from "bun:test";

import type { IntentName } from "../../../../src/domain/ids.ts";
import { checkOutputSchemas } from "../../../../src/governance/output/check-output-schemas.ts";
import { compileOutputPolicy } from "../../../../src/governance/output/output-policy.ts";
import { type WrittenFields, botWith } from "../../../support/bots.ts";

const text = { type: "string", maxLength: 10 };
const number = { type: "number" };

const problemsOf = (fields: WrittenFields): string[] =>
  checkOutputSchemas(botWith(fields)).map(
    ({ severity, pointer, message }) => `${severity} ${pointer} ${message}`,
  );

describe("output schemas of a bot", () => {
  test.each<[string, WrittenFields, string[]]>([
    ["none", { intents: [{ name: "i", responses: ["x"] }] }, []],
    ["one with a fallback that satisfies it", { outputSchema: text, fallbackResponse: "sorry" }, []],
    [
      "one without a fallback",
      { outputSchema: text },
      [
        "error /outputSchema an `outputSchema` needs a `fallbackResponse` that satisfies it, for answers that do not",
      ],
    ],
    [
      "one whose fallback fails it",
      { outputSchema: number, fallbackResponse: "sorry" },
      ["error /fallbackResponse `fallbackResponse` fails the output schema: the response is not JSON"],
    ],
    [
      "a fallback alone",
      { fallbackResponse: "sorry" },
      [
        "warning /fallbackResponse `fallbackResponse` is never used without an `outputSchema`; remove it, or add the schema",
      ],
    ],
    [
      "a bad one, reported once",
      { outputSchema: { type: "x" }, fallbackResponse: "y", intents: [{ name: "i", responses: ["x"] }] },
      [
        'error /outputSchema/type `type` must be one of string, number, integer, boolean, object, array, null, not "x"',
      ],
    ],
    [
      "a bad one of an intent",
      { intents: [{ name: "h" }, { name: "i", outputSchema: { properties: { a: 1 } } }] },
      ["error /intents/1/outputSchema/properties/a a schema must be a mapping, true or false"],
    ],
    [
      "an answer that fails the bot's",
      { outputSchema: number, fallbackResponse: "0", intents: [{ name: "i", responses: ["1", "one"] }] },
      [
        "warning /intents/0/responses/1 this answer fails the output schema (the response is not JSON), so the fallback always replaces it",
      ],
    ],
    [
      "answers of intents that a model answers",
      {
        outputSchema: number,
        fallbackResponse: "0",
        responder: { kind: "model" },
        intents: [
          { name: "i", responses: ["one"] },
          { name: "j", responder: { kind: "scripted" }, responses: ["1", "two"] },
        ],
      },
      [
        "warning /intents/1/responses/1 this answer fails the output schema (the response is not JSON), so the fallback always replaces it",
      ],
    ],
    [
      "an answer that is too long with the bot's name in it",
      {
        outputSchema: text,
        fallbackResponse: "0",
        intents: [{ name: "i", responses: ["I'm {botName}", "I'm Acme, hello"] }],
      },
      [
        "warning /intents/0/responses/1 this answer fails the output schema (the response must not have more than 10 characters), so the fallback always replaces it",
      ],
    ],
    [
      "an intent's own beside the bot's fallback",
      { fallbackResponse: "0", intents: [{ name: "i", outputSchema: number }] },
      [],
    ],
    [
      "an intent's own that the bot's fallback fails",
      { outputSchema: text, fallbackResponse: "sorry", intents: [{ name: "i", outputSchema: number }] },
      [
        "error /intents/0/outputSchema the bot's `fallbackResponse` fails this intent's schema (the response is not JSON); give the intent its own",
      ],
    ],
    [
      "an intent's own fallback beside the bot's schema",
      {
        outputSchema: text,
        fallbackResponse: "sorry",
        intents: [{ name: "i", fallbackResponse: "much too long" }],
      },
      [
        "error /intents/0/fallbackResponse `fallbackResponse` fails the output schema: the response must not have more than 10 characters",
      ],
    ],
    [
      "an intent's own without any fallback",
      { intents: [{ name: "i", outputSchema: number }] },
      [
        "error /intents/0/outputSchema an `outputSchema` needs a `fallbackResponse` that satisfies it, for answers that do not",
      ],
    ],
    [
      "patterns that could take very long, with their places",
      {
        outputSchema: {
          type: "object",
          properties: { a: { pattern: "b(?=[ab]*c)" } },
          patternProperties: { "x(?!y*z)": {} },
        },
        fallbackResponse: "{}",
      },
      [
        "error /outputSchema/properties/a/pattern `pattern` looks ahead or behind from within the text, which can take very long; look ahead only right behind a leading `^`, or use `enum`, `format` or `maxLength`",
        "error /outputSchema/patternProperties/x(?!y*z) the pattern `x(?!y*z)` looks ahead or behind from within the text, which can take very long; look ahead only right behind a leading `^`, or use `enum`, `format` or `maxLength`",
      ],
    ],
    [
      "a keyword that checks nothing",
      { outputSchema: { ...text, tpye: 1 }, fallbackResponse: "x" },
      ["warning /outputSchema/tpye `tpye` checks nothing; did you mean `type`?"],
    ],
  ])("%s", (_, fields, problems) => {
    expect(problemsOf(fields)).toEqual(problems);
  });
});

describe("the output policy", () => {
  const policy = compileOutputPolicy(
    botWith({
      outputSchema: text,
      fallbackResponse: "sorry",
      intents: [
        { name: "plain" },
        { name: "own", outputSchema: number, fallbackResponse: "0" },
        { name: "words", fallbackResponse: "pardon" },
      ],
    }),
  );
  const ruleFor = (intent: string) => policy.ruleFor(intent as IntentName);

  test("takes schema and fallback from the intent, each, or else from the bot", () => {
    expect(
      [ruleFor("plain"), ruleFor("own"), ruleFor("words")].map((rule) => rule?.fallbackResponse),
    ).toEqual(["sorry", "0", "pardon"]);
    expect(ruleFor("own")?.enforce("12")).toEqual({ valid: true, response: "12" });
    expect(ruleFor("plain")?.enforce("twelve")).toEqual({ valid: true, response: "twelve" });
    expect(ruleFor("own")?.enforce("twelve")).toEqual({ valid: false, error: "the response is not JSON" });
  });

  test("leaves answers free without a schema", () => {
    expect(
      compileOutputPolicy(botWith({ intents: [{ name: "plain" }] })).ruleFor("plain" as IntentName),
    ).toBeUndefined();
  });

  test("does not compile for a bot that the rule refuses", () => {
    expect(() => compileOutputPolicy(botWith({ intents: [{ name: "i", outputSchema: text }] }))).toThrow(
      "no fallback",
    );
    expect(() =>
      compileOutputPolicy(
        botWith({ fallbackResponse: "x", intents: [{ name: "i", outputSchema: { type: 1 } }] }),
      ),
    ).toThrow("/type");
  });

  test("lets no answer pass a schema that an earlier version took for safe, and says what is wrong with it", () => {
    const unsafe = { type: "string", pattern: "b(?=[ab]*c)" };
    const earlier = compileOutputPolicy(
      botWith({ outputSchema: unsafe, fallbackResponse: "sorry", intents: [{ name: "i" }] }),
    );
    expect(earlier.ruleFor("i" as IntentName)?.enforce("b".repeat(200_000))).toEqual({
      valid: false,
      error: expect.stringContaining("not safe to check"),
    });
    expect(earlier.faults).toEqual([expect.stringContaining("/pattern `pattern` looks ahead or behind")]);
    expect(policy.faults).toEqual([]);
  });
});
