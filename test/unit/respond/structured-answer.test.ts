import { describe, expect, test } from "bun:test";

import { checkAnswer, type Checked } from "../../../src/chat/turn/respond-with-model.ts";

const SCHEMA = { type: "object", properties: { hours: { type: "string" } } };

/** As an output schema does: text is JSON with `hours`, or at fault. */
function enforce(text: string): Checked {
  try {
    const value = JSON.parse(text) as { hours?: unknown };
    const isRight = typeof value.hours === "string" || "properties" in value;
    return isRight ? { valid: true, response: text } : { valid: false, error: "/hours must be string" };
  } catch {
    return { valid: false, error: "the response is not JSON" };
  }
}

const check = (text: string, truncated = false) => checkAnswer({ text, truncated }, SCHEMA, enforce);

describe("an answer with a schema", () => {
  test("passes as it was written", () => {
    expect(check('{ "hours": "9-5" }')).toEqual({ valid: true, response: '{ "hours": "9-5" }' });
  });

  test("passes once healed", () => {
    expect(check('Here:\n```json\n{"hours": "9-5",}\n```')).toEqual({
      valid: true,
      response: '{"hours": "9-5"}',
    });
  });

  test("fails with the fault of what was healed", () => {
    expect(check('```{"hours": 5}```')).toEqual({ valid: false, error: "/hours must be string" });
  });

  test("is checked once where healing has nothing to mend", () => {
    const checked: string[] = [];
    const count = (text: string): Checked => {
      checked.push(text);
      return enforce(text);
    };
    expect(checkAnswer({ text: ' {"hours": 5}\n', truncated: false }, SCHEMA, count).valid).toBeFalse();
    expect(checked).toHaveLength(1);
  });

  test.each([
    ["plain words", "We open at nine.", false, "not JSON"],
    ["a value that breaks off", '{"hours": "9-', false, "not JSON"],
    ["an answer at the token limit, even if it is whole", '{"hours": "9-5"}', true, "cut off"],
    ["the schema itself", JSON.stringify(SCHEMA), false, "repeats the schema"],
  ])("is not %s", (_, text, truncated, error) => {
    expect(check(text, truncated)).toEqual({ valid: false, error: expect.stringContaining(error) });
  });

  test("that is to be plain text is never taken for JSON", () => {
    const asText = (text: string): Checked => ({ valid: true, response: text });
    const answer = { text: 'Say {"a": 1}', truncated: false };
    expect(checkAnswer(answer, { type: "string" }, asText)).toEqual({ valid: true, response: answer.text });
  });
});
