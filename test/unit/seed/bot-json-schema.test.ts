import { describe, expect, test } from "bun:test";

import { Compile } from "typebox/schema";

import { BotDocument } from "../../../src/domain/bot.ts";
import { botJsonSchema } from "../../../src/seed/bot-json-schema.ts";
import { shapeProblems } from "../../../src/seed/shape-problems.ts";

describe("the JSON Schema of bot files", () => {
  const schema = botJsonSchema();
  const text = JSON.stringify(schema);

  test("is a draft-07 schema with a title and a description of its fields", () => {
    expect(schema).toMatchObject({
      $schema: "http://json-schema.org/draft-07/schema#",
      title: "Parley bot",
      required: ["id", "name", "allowedDomains"],
    });
    expect(Object.keys(schema["properties"] as object)).toEqual(Object.keys(BotDocument.properties));
  });

  test("holds no nested ids, and offers constants as enums", () => {
    expect(text).not.toContain('"$id"');
    expect(text).not.toContain('"const":"pills"');
    expect(schema).toMatchObject({
      properties: { suggestedQuestionsStyle: { enum: ["pills", "message_box"] } },
    });
  });

  test("judges as the seed does", () => {
    const validator = Compile(schema as object);
    const bot = { id: "acme", name: "Acme", allowedDomains: [], outputSchema: { type: "object", x: 1 } };
    expect(validator.Check(bot)).toBe(true);
    expect(validator.Check({ ...bot, nope: 1 })).toBe(false);
    expect(validator.Check({ ...bot, suggestedQuestionsStyle: "pill" })).toBe(false);
    expect(validator.Check({ ...bot, tests: [{ utterance: "x", intent: null }] })).toBe(true);
    expect(validator.Check({ ...bot, tests: [{ intent: null }] })).toBe(false);
    expect(validator.Check({ ...bot, template: { id: "x", bundleUrl: "x", options: { any: [1] } } })).toBe(
      true,
    );
  });

  test.each([
    [{ de: { welcomeMessage: "Hallo" }, "social.thanks": "Ta" }, true],
    [{ "zh-Hant-TW": { suggestedQuestions: { q1: "你好" } } }, true],
    [{ welcomeMessage: "Hallo" }, false],
    [{ "sv-SE": { welcomeMessage: "Hej" } }, false],
    [{ "de-AT": { welcome: "Servus" } }, false],
    [{ de: { suggestedQuestions: { q1: 1 } } }, false],
  ])("judges wording by language as the seed does: %j", (texts, isRight) => {
    const bot = { id: "acme", name: "Acme", allowedDomains: [], texts };
    expect(Compile(schema as object).Check(bot)).toBe(isRight);
    expect(shapeProblems(bot).length === 0).toBe(isRight);
  });
});
