import { describe, expect, test } from "bun:test";

import { actionsOf } from "../../../src/action/compile-action.ts";
import { wordAnswer } from "../../../src/action/word-answer.ts";
import type { ActionAnswer, ActionSettings } from "../../../src/domain/action.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import { shopBot } from "../../support/bots.ts";

const VALUES = {
  orderNumber: { type: "text", value: "48213" },
  day: { type: "date", value: "2031-03-04" },
} as const;

function say(
  answers: ActionAnswer[],
  answer: Parameters<typeof wordAnswer>[1],
  { language = "en", ...action }: Partial<ActionSettings> & { language?: string } = {},
) {
  const settings = { endpoint: "orders", path: "/", answers, failure: ".", ...action };
  const slots = Object.entries(VALUES).map(([name, { type }]) => ({ name, type, ask: "?", pattern: ".+" }));
  const intent = { name: "orders.status" as IntentName, examples: ["x"], slots, action: settings };
  const { byIntent, wording } = actionsOf(
    shopBot({ intents: [intent], language, timezone: "Europe/Berlin" }),
  );
  return wordAnswer(byIntent.get(intent.name)!, answer, VALUES, wording);
}

const text = (...args: Parameters<typeof say>): string | undefined => {
  const worded = say(...args);
  return worded.ok ? worded.text : undefined;
};

describe("what is said of an answer", () => {
  const answers: ActionAnswer[] = [
    { when: { status: 404 }, say: "Not found." },
    { when: { "body.state": ["shipped", "sent"] }, say: "Left on {body.at, date}." },
    { when: { "body.lines.0.ok": true }, say: "First line." },
    { say: "Order {orderNumber} is {body.state}." },
  ];

  test.each<[answer: Parameters<typeof wordAnswer>[1], said: string | undefined]>([
    [{ status: 404 }, "Not found."],
    [{ status: 200, body: { state: "sent", at: "2031-03-04" } }, "Left on Tuesday, 4 March 2031."],
    [{ status: 200, body: { lines: [{ ok: true }] } }, "First line."],
    [{ status: 200, body: { state: "sent", at: "2031-02-31" } }, undefined],
    [{ status: 201, body: { state: "new" } }, "Order 48213 is new."],
    [{ status: 200, body: {} }, undefined],
    [{ status: 500, body: { state: "shipped", at: "2031-03-04" } }, undefined],
    [{ status: 200, fault: "not-json" }, undefined],
    [{ status: 404, fault: "not-json" }, "Not found."],
    [{ status: 200, body: { state: { nested: 1 } } }, undefined],
  ])("%j", (answer, said) => {
    expect(text(answers, answer)).toBe(said as string);
  });

  test("is undefined where a field is no own field of the answer", () => {
    expect(text([{ say: "{body.constructor}" }], { status: 200, body: {} })).toBeUndefined();
    expect(
      text([{ when: { "body.__proto__": "x" }, say: "yes" }], { status: 200, body: {} }),
    ).toBeUndefined();
  });

  test.each([
    ["en", "{body.n, number}", { n: 1234.5 }, "1,234.5"],
    ["de", "{body.n, number}", { n: "1234.5" }, "1.234,5"],
    ["de", "{body.n, money}", { n: { amount: "12.5", currency: "EUR" } }, "12,50\u00a0€"],
    ["en", "{body.n, money}", { n: "12.50 USD" }, "US$12.50"],
    ["en", "{body.n, money}", { n: 3 }, "3.00"],
    ["en", "{body.n, time}", { n: "2031-03-04T14:05:00Z" }, "15:05"],
    ["en", "{body.n, date}", { n: 1930402800 }, "Tuesday, 4 March 2031"],
    ["de", "{day}", {}, "Dienstag, 4. März 2031"],
    ["en", "{{body} {{", {}, "{body} {"],
  ])("in %s: %s", (language, template, body, said) => {
    expect(text([{ say: template }], { status: 200, body }, { language })).toBe(said);
  });

  test("lists at most ten items", () => {
    const body = { items: Array.from({ length: 12 }, (_, at) => ({ name: `n${at}` })) };
    const lines = text([{ say: "You have: {body.items, list: name}" }], { status: 200, body })!.split("\n");
    expect(lines).toHaveLength(12);
    expect(lines.slice(0, 2)).toEqual(["You have: ", "- n0"]);
    expect(lines.at(-1)).toBe("- …");
    expect(text([{ say: "{body.items, list}" }], { status: 200, body: { items: ["a", "b"] } })).toBe(
      "- a\n- b",
    );
    expect(text([{ say: "{body.items, list: no}" }], { status: 200, body })).toBeUndefined();
  });

  test.each([
    ["[a](https://evil.example)", "\\[a\\](https\\://evil.example)"],
    ["**bold** _i_ `code`", "\\*\\*bold\\*\\* \\_i\\_ \\`code\\`"],
    ["# heading\n- item", "\\# heading - item"],
    ["1. one", "1\\. one"],
    ["<script>", "\\<script>"],
    ["a\u202eb\u200b", "ab"],
    ["order_number 4-2", "order_number 4-2"],
    ["{botName} {orderNumber}", "{botName} {orderNumber}"],
  ])("draws nothing that an endpoint says: %j", (name, said) => {
    expect(text([{ say: "{body.name}" }], { status: 200, body: { name } })).toBe(said);
  });

  test.each([
    ["https", "://evil.example", "https\\://evil.example"],
    ["https:", "//evil.example", "https\\:\\//evil.example"],
    ["https:/", "/evil.example", "https\\://evil.example"],
    ["http", "s://evil.example", "https\\://evil.example"],
    ["~", "~a~~", "\\~\\~a\\~\\~"],
  ])("draws nothing that %j and %j, one behind the other, come to", (one, other, said) => {
    const answer = { status: 200, body: { one, other } };
    expect(text([{ say: "{body.one}{body.other}" }], answer)).toBe(said);
  });

  test.each([
    ["see www.evil.example", "see www\\.evil.example"],
    ["https://evil.example www.evil.example", "https\\://evil.example www\\.evil.example"],
  ])("has no address become a link where other clients draw it: %j", (name, said) => {
    expect(text([{ say: "{body.name}" }], { status: 200, body: { name } })).toBe(said);
  });

  test("is valid Unicode, whatever the endpoint says", () => {
    const body = { name: "a\ud800b", items: ["\udc00"] };
    expect(text([{ say: "{body.name}" }], { status: 200, body })).toBe("a\ufffdb");
    expect(text([{ say: "{body.items, list}" }], { status: 200, body })).toBe("- \ufffd");
  });

  test("counts a proof as failed by its status, or as the entry says", () => {
    const proof = ["orderNumber", "day"];
    const failed = (status: number, entry: Partial<ActionAnswer> = {}) =>
      say([{ when: { status }, say: "No.", ...entry }], { status }, { proof }).proofFailed;
    expect([401, 403, 404, 422, 409, 200].map((status) => failed(status))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(failed(200, { proofFailed: true })).toBe(true);
    expect(say([{ say: "." }], { status: 404 }, { proof: [] }).proofFailed).toBe(false);
  });
});
