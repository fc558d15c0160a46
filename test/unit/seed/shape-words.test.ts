import { describe, expect, test } from "bun:test";

import { BotDocument } from "../../../src/domain/bot.ts";
import { EMAIL_PATTERN, WEBHOOK_NAME_PATTERN } from "../../../src/domain/handoff.ts";
import { patternInWords } from "../../../src/seed/shape-words.ts";

/** The patterns that values of the schema, and of all schemas in it, must have. */
function patternsIn(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { type, pattern } = schema as { type?: unknown; pattern?: unknown };
  const own = type === "string" && typeof pattern === "string" ? [pattern] : [];
  return [...own, ...Object.values(schema).flatMap(patternsIn)];
}

const PATTERNS = [...new Set(patternsIn(BotDocument))];

describe("the patterns of a bot file", () => {
  test("are found", () => {
    expect(PATTERNS.length).toBeGreaterThan(8);
  });

  test.each(PATTERNS)("%s is put into words, with an example", (pattern) => {
    const words = patternInWords(pattern, "!");
    expect(words).toMatch(/^must .*`.+`.*, not "!"$/);
    expect(words).not.toContain(pattern);
  });

  test("guess what a name was meant to be, and no address", () => {
    expect(patternInWords(WEBHOOK_NAME_PATTERN, "My CRM")).toEndWith("; did you mean `my-crm`?");
    expect(patternInWords(EMAIL_PATTERN, "sales@acme example")).toEndWith('not "sales@acme example"');
  });
});
