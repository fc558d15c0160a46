import { describe, expect, test } from "bun:test";

import { type Schema, suggestionsAt } from "../../../../src/console/editor/schema-completion.ts";
import { botJsonSchema } from "../../../../src/seed/bot-json-schema.ts";

const SCHEMA = botJsonSchema() as Schema;

/** The labels that are offered where the text has a bar. */
function offered(text: string): string[] | undefined {
  const at = text.indexOf("|");
  return suggestionsAt(SCHEMA, text.replace("|", ""), at)?.options.map(({ label }) => label);
}

describe("completion from the schema of bot files", () => {
  test("offers the fields of a bot at the left edge", () => {
    expect(offered("id: x\nwel|")).toContain("welcomeMessage");
    expect(offered("|")).toContain("capabilityProfile");
  });

  test("offers the fields of what a line is in", () => {
    expect(offered("capabilityProfile:\n  |")).toEqual(
      expect.arrayContaining(["allow", "deny", "mode", "refusals"]),
    );
    expect(offered("capabilityProfile:\n  allow:\n    - x\n  refusals:\n    |")).toEqual([
      "DENY_LIST",
      "NOT_IN_ALLOW_LIST",
      "no_intent_match",
    ]);
  });

  test("offers the fields of an entry of a list, at its dash and below it", () => {
    for (const text of [
      "intents:\n  - |",
      "intents:\n  - name: a\n    |",
      "intents:\n  - name: a\n    examples:\n      - x\n    |",
    ])
      expect(offered(text)).toEqual(expect.arrayContaining(["name", "examples", "responses"]));
  });

  test("comes back out of a list", () => {
    expect(offered("intents:\n  - name: a\n    examples:\n      - x\n|")).toContain("tests");
  });

  test("offers values where there are a known few", () => {
    expect(offered("capabilityProfile:\n  mode: |")).toEqual(["enforce", "observe"]);
    expect(offered("enabled: |")).toEqual(["true", "false"]);
    expect(offered("tests:\n  - utterance: x\n    decision: |")).toEqual(
      expect.arrayContaining(["allowed", "DENY_LIST", "no_intent_match"]),
    );
    expect(offered("capabilityProfile:\n  denyPatterns:\n    - |")).toContain("card-number");
  });

  test("offers nothing in comments, in texts, and where the schema says nothing", () => {
    for (const text of [
      "# wel|",
      "name: A |",
      "nothing:\n  |",
      "intents:\n  - name: a\n    examples:\n      - |",
    ])
      expect(offered(text)).toBeUndefined();
  });

  test("replaces the word before the cursor", () => {
    expect(suggestionsAt(SCHEMA, "id: x\nwel", 9)?.from).toBe(6);
  });
});
