import { describe, expect, test } from "bun:test";

import { parse } from "yaml";

import {
  firstChoice,
  intentInWords,
  intentNames,
  nameFault,
  outOfScope,
  personalPart,
  standingIn,
  suggestedName,
  taught,
  taughtBefore,
} from "../../../../src/console/teach/teaching.ts";

const BOT = `id: acme
name: Acme
allowedDomains: []
capabilityProfile:
  allow: [orders.*] # the rest is refused
  deny: [legal.*]
intents:
  - name: orders.status
    label: where an order is
    examples: [where is it]
`;

const invoice = {
  kind: "new",
  name: "invoice",
  label: "invoices",
  answer: "Here.",
  isAllowed: true,
} as const;

describe("teaching a bot", () => {
  test("adds messages to an intent", () => {
    const text = taught(BOT, ["has it left"], { kind: "intent", name: "orders.status" })!;
    expect(parse(text).intents[0].examples).toEqual(["where is it", "has it left"]);
  });

  test("makes a new intent, and allows it where the list would leave it out", () => {
    const bot = parse(taught(BOT, ["an invoice please"], invoice)!);
    expect(bot.intents[1]).toEqual({
      name: "invoice",
      label: "invoices",
      examples: ["an invoice please"],
      responses: ["Here."],
    });
    expect(bot.capabilityProfile.allow).toEqual(["orders.*", "invoice"]);
  });

  test("never allows what is denied, or what was not to be allowed", () => {
    expect(parse(taught(BOT, ["x"], { ...invoice, name: "legal.invoice" })!).capabilityProfile.allow).toEqual(
      ["orders.*"],
    );
    expect(parse(taught(BOT, ["x"], { ...invoice, isAllowed: false })!).capabilityProfile.allow).toEqual([
      "orders.*",
    ]);
  });

  test("changes nothing while the name of a new intent is not sound, and without messages", () => {
    for (const name of ["", "An Invoice", "orders.status"])
      expect(taught(BOT, ["x"], { ...invoice, name })).toBe(BOT);
    expect(taught(BOT, [], invoice)).toBe(BOT);
  });

  test("what is out of scope is kept as tests", () => {
    expect(parse(outOfScope(BOT, ["the weather", "a joke"])!).tests).toEqual([
      { utterance: "the weather", decision: "no_intent_match" },
      { utterance: "a joke", decision: "no_intent_match" },
    ]);
  });

  test("says how the profile stands to an intent that is not there yet", () => {
    expect(standingIn(BOT, "orders.invoice")).toEqual({ standing: "allowed", by: "orders.*" });
    expect(standingIn(BOT, "legal.invoice")).toEqual({ standing: "denied", by: "legal.*" });
    expect(standingIn(BOT, "invoice")).toEqual({ standing: "unlisted", by: undefined });
  });

  test("reads names and words of intents", () => {
    expect([intentNames(BOT), intentInWords(BOT, "orders.status")]).toEqual([
      ["orders.status"],
      "where an order is",
    ]);
    expect([intentNames("["), intentInWords(BOT, "gone")]).toEqual([[], ""]);
  });

  test("says what is wrong with a name", () => {
    expect(nameFault("payments.invoice", ["x"])).toBeUndefined();
    for (const name of ["", "A", "a b", "a.", "x"]) expect(nameFault(name, ["x"])).toBeString();
  });

  test("points at what may be personal", () => {
    expect(["order 48213", "me@a.example", "size 42"].map(personalPart)).toEqual([
      "number",
      "address",
      undefined,
    ]);
  });

  test("suggests a name of the words that tell most", () => {
    expect(
      ["i need a VAT invoice", "where do I download my invoice", "أين طلبي؟"].map(suggestedName),
    ).toEqual(["need_invoice", "download_invoice", ""]);
  });

  test("chooses the most typical messages at first", () => {
    const messages = Array.from({ length: 9 }, (_, at) => ({
      text: `m${at}`,
      times: 1,
      latestAt: 0,
      requestId: "",
      conversationId: "",
    }));
    expect(firstChoice({ kind: "asked", messages })).toEqual(["m0", "m1", "m2", "m3", "m4", "m5", "m6"]);
    expect(firstChoice({ kind: "unhelpful", messages })).toEqual([]);
    expect(firstChoice({ kind: "unhelpful", messages: messages.slice(0, 1) })).toEqual(["m0"]);
  });
});

describe("what a draft teaches already", () => {
  const messages = ["has it left", "an invoice, please"];

  test("is found with the form that wrote it, and the text without it", () => {
    const draft = taught(BOT, messages, invoice)!;
    expect(taughtBefore(draft, BOT, [...messages, "another"])).toEqual({
      chosen: messages,
      target: invoice,
      base: BOT,
    });
    const unnamed = { ...invoice, label: "", answer: "", isAllowed: false };
    expect(taughtBefore(taught(BOT, messages, unnamed)!, BOT, messages)?.target).toEqual(unnamed);
  });

  test("is found in an intent that was there before, and leaves what is taught beside it", () => {
    const other = taught(BOT, ["is it on its way"], { kind: "intent", name: "orders.status" })!;
    const draft = taught(other, ["has it left"], { kind: "intent", name: "orders.status" })!;
    expect(taughtBefore(draft, BOT, messages)).toEqual({
      chosen: ["has it left"],
      target: { kind: "intent", name: "orders.status" },
      base: other,
    });
  });

  test("is no new intent where it has more than the form shows", () => {
    const draft = taught(BOT, messages, invoice)!.replace("label: invoices", "description: edited elsewhere");
    const found = taughtBefore(draft, BOT, messages)!;
    expect(found.target).toEqual({ kind: "intent", name: "invoice" });
    expect(parse(found.base).intents[1]).toMatchObject({ description: "edited elsewhere", examples: [] });
  });

  test("is nothing where the messages are published, or stand nowhere", () => {
    expect(taughtBefore(BOT, BOT, messages)).toBeUndefined();
    const draft = taught(BOT, messages, invoice)!;
    expect(taughtBefore(draft, draft, messages)).toBeUndefined();
    expect(taughtBefore("name: [", BOT, messages)).toBeUndefined();
  });
});
