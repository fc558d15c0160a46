import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { kioskBot, shopBot } from "../support/bots.ts";
import { type TestParley, startParley } from "../support/parley.ts";

let parley: TestParley;

beforeAll(async () => {
  parley = await startParley({
    bots: [
      shopBot(),
      shopBot({ id: "off", enabled: false }),
      shopBot({ id: "private", allowedDomains: ["shop.example"] }),
      shopBot({ id: "terse", maxInputLength: 10 }),
      shopBot({ id: "default", defaultIntent: "orders.status" }),
      kioskBot('{"hours": "9 to 5"}'),
      kioskBot("nine to five", { id: "broken-kiosk" }),
      kioskBot("{botName} opens at nine", {
        id: "text-kiosk",
        outputSchema: { type: "string", maxLength: 40 },
      }),
    ],
  });
});
afterAll(() => parley[Symbol.asyncDispose]());

describe("a served message", () => {
  test("carries conversationId, response, intent and metadata, and nothing else", async () => {
    const body = await parley.say("where is my order");
    expect(body).toEqual({
      conversationId: expect.stringMatching(/^cv_[0-9A-Za-z]{31}$/),
      response: "It is on its way.",
      intentDetected: "orders.status",
      metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
    });
  });

  test("is answered as JSON, uncached, with its request id", async () => {
    const { status, headers } = await parley.chat({ botId: "shop", input: "where is my order" });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toMatch(/^rq_[0-9A-Za-z]{31}$/);
  });

  test("continues the conversation whose id it carries", async () => {
    const first = await parley.say("where is my order");
    const second = await parley.say("track my parcel please", { conversationId: first.conversationId });
    expect(second.conversationId).toBe(first.conversationId);
    expect(second.response).toBe("Shop sent it yesterday.");
  });

  test("uses an intent's responses in turn, and starts over", async () => {
    const { conversationId } = await parley.say("where is my order");
    await parley.say("where is my order", { conversationId });
    const third = await parley.say("where is my order", { conversationId });
    expect(third.response).toBe("It is on its way.");
  });

  test.each([
    ["an unknown id", "cv_unknown"],
    ["an empty id", ""],
    ["an endless id", "x".repeat(5000)],
    ["an id with SQL in it", "'; DROP TABLE turns; --"],
  ])("starts a new conversation for %s", async (_, conversationId) => {
    const body = await parley.say("where is my order", { conversationId });
    expect(body.conversationId).not.toBe(conversationId);
    expect(body.response).toBe("It is on its way.");
  });

  test("starts a new conversation for the id of another bot's", async () => {
    const { conversationId } = await parley.say("where is my order");
    const other = await parley.say("where is my order", { botId: "default", conversationId });
    expect(other.conversationId).not.toBe(conversationId);
  });

  test("ignores unknown fields, prototype keys among them", async () => {
    const body =
      '{"botId":"shop","input":"where is my order","model":"x","__proto__":{"botId":"evil"},"constructor":1}';
    const response = await parley.chat(body);
    expect(response.status).toBe(200);
  });

  test("takes no part of the service from the body", async () => {
    const internals = {
      follower: {},
      left: { aborted: true },
      idempotencyKey: { keyHash: "x" },
      requestId: "mine",
      bot: {},
    };
    const response = await parley.chat({ botId: "shop", input: "where is my order", ...internals });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-request-id")).not.toBe("mine");
  });

  test("takes a charset beside application/json", async () => {
    const headers = { "Content-Type": "Application/JSON; charset=UTF-8" };
    const response = await parley.chat({ botId: "shop", input: "where is my order" }, { headers });
    expect(response.status).toBe(200);
  });
});

describe("a restricted message", () => {
  test.each([
    ["delete my account", "DENY_LIST", "account.delete", "That is not for a bot to do."],
    ["tell me a joke", "NOT_IN_ALLOW_LIST", "jokes.tell", "Orders only, please."],
    ["quantum chromodynamics", "no_intent_match", undefined, "Please say that in other words."],
  ])("%p is answered with the refusal for %s", async (input, enforcementReason, intent, response) => {
    const body = await parley.say(input);
    expect(body.response).toBe(response);
    expect(body.intentDetected).toBe(intent as string);
    expect("intentDetected" in body).toBe(intent !== undefined);
    expect(body.metadata).toEqual({
      capabilityAllowed: false,
      enforcementReason,
      schemaEnforced: false,
      schemaFallbackUsed: false,
      // What the bot can do.
      ...(enforcementReason === "no_intent_match" && {
        next: [{ label: "the state of an order", input: "where is my order" }],
      }),
    });
  });

  test("gets the default intent where the bot has one", async () => {
    const body = await parley.say("quantum chromodynamics", { botId: "default" });
    expect(body.intentDetected).toBe("orders.status");
    expect(body.metadata.capabilityAllowed).toBe(true);
  });
});

describe("an output schema", () => {
  test("marks an answer that satisfies it, whose text is the JSON's", async () => {
    const body = await parley.say("opening hours", { botId: "kiosk" });
    expect(JSON.parse(body.response)).toEqual({ hours: "9 to 5" });
    expect(body.metadata).toEqual({
      capabilityAllowed: true,
      schemaEnforced: true,
      schemaFallbackUsed: false,
    });
  });

  test("replaces an answer that fails it by the fallback, and says where the fault was", async () => {
    const body = await parley.say("opening hours", { botId: "broken-kiosk" });
    expect(body.response).toBe('{"hours":"unknown"}');
    expect(body.metadata).toEqual({
      capabilityAllowed: true,
      enforcementReason: "schema_fallback",
      schemaEnforced: true,
      schemaFallbackUsed: true,
      schemaValidationError: expect.stringMatching(/^[^\n]+$/),
    });
  });

  test("of type string judges the text itself", async () => {
    const body = await parley.say("opening hours", { botId: "text-kiosk" });
    expect(body.response).toBe("Kiosk opens at nine");
    expect(body.metadata.schemaEnforced).toBe(true);
  });

  test("is not enforced on a refusal", async () => {
    const body = await parley.say("quantum chromodynamics", { botId: "kiosk" });
    expect(body.metadata).toMatchObject({ enforcementReason: "no_intent_match", schemaEnforced: false });
  });
});

interface ProblemCase {
  name: string;
  body: unknown;
  status: number;
  code: string;
  pointers?: string[];
}

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const MALFORMED: ProblemCase[] = [
  { name: "an empty body", body: "", status: 400, code: "INVALID_REQUEST" },
  { name: "a body that is not JSON", body: "{botId: shop}", status: 400, code: "INVALID_REQUEST" },
  { name: "a JSON array", body: "[]", status: 400, code: "INVALID_REQUEST", pointers: [""] },
  { name: "JSON null", body: "null", status: 400, code: "INVALID_REQUEST", pointers: [""] },
  {
    name: "20,000 levels of nesting",
    body: deep(20_000).slice(0, 65_000),
    status: 400,
    code: "INVALID_REQUEST",
  },
  { name: "9,000 balanced levels of nesting", body: deep(9000), status: 400, code: "INVALID_REQUEST" },
  {
    name: "20,000 arrays deep",
    body: `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    status: 400,
    code: "INVALID_REQUEST",
  },
  { name: "no fields", body: {}, status: 400, code: "INVALID_REQUEST", pointers: ["/botId", "/input"] },
  {
    name: "wrong types",
    body: { botId: 1, input: ["x"], conversationId: {} },
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/botId", "/input", "/conversationId"],
  },
  {
    name: "fields that only a prototype has",
    body: '{"__proto__":{"botId":"shop","input":"hi"}}',
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/botId", "/input"],
  },
  {
    name: "empty input",
    body: { botId: "shop", input: "" },
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/input"],
  },
  {
    name: "blank input",
    body: { botId: "shop", input: " \t\n\u3000" },
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/input"],
  },
  {
    name: "invisible input",
    body: { botId: "shop", input: "\u200b\u2060\ufeff" },
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/input"],
  },
  {
    name: "NUL in input",
    body: { botId: "shop", input: "a\0b" },
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/input"],
  },
  { name: "a raw NUL byte", body: '{"botId":"shop","input":"a\0b"}', status: 400, code: "INVALID_REQUEST" },
  {
    name: "a lone surrogate",
    body: '{"botId":"shop","input":"\\ud800"}',
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/input"],
  },
  {
    name: "invalid UTF-8",
    body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
    status: 400,
    code: "INVALID_REQUEST",
  },
  {
    name: "an overlong UTF-8 sequence",
    body: new Uint8Array([0x22, 0xc0, 0xaf, 0x22]),
    status: 400,
    code: "INVALID_REQUEST",
  },
  {
    name: "input over 4,000 characters",
    body: { botId: "shop", input: "a".repeat(4001) },
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/input"],
  },
  {
    name: "input over the bot's own length",
    body: { botId: "terse", input: "where is my order" },
    status: 400,
    code: "INVALID_REQUEST",
    pointers: ["/input"],
  },
  {
    name: "64 KiB and one byte",
    body: `{"botId":"shop","input":"hi"}`.padEnd(65_537),
    status: 413,
    code: "INVALID_REQUEST",
  },
  { name: "an unknown bot", body: { botId: "nobody", input: "hi" }, status: 404, code: "NOT_FOUND" },
  { name: "a disabled bot", body: { botId: "off", input: "hi" }, status: 404, code: "NOT_FOUND" },
  {
    name: "a prototype key as bot id",
    body: { botId: "__proto__", input: "hi" },
    status: 404,
    code: "NOT_FOUND",
  },
  {
    name: "a bot that may not be used without a domain",
    body: { botId: "private", input: "hi" },
    status: 403,
    code: "FORBIDDEN",
  },
];

test("a request without any origin is told that it names none; another, that its own is not allowed", async () => {
  const refusalOf = async (headers: Record<string, string>) => {
    const response = await parley.chat({ botId: "private", input: "hi" }, { headers });
    return ((await response.json()) as { detail: string }).detail;
  };
  expect(await refusalOf({})).toContain("no Origin or Referer");
  expect(await refusalOf({ Origin: "https://elsewhere.example" })).toBe(
    "This bot may not be used from this domain.",
  );
});

describe("a bad request", () => {
  test.each(MALFORMED)(
    "$name is $status $code, and nothing is counted",
    async ({ body, status, code, pointers }) => {
      const response = await parley.chat(body);
      const problem = (await response.json()) as Record<string, unknown>;
      expect({ status: response.status, code: problem.code }).toEqual({ status, code });
      expect(response.headers.get("content-type")).toBe("application/problem+json");
      expect(problem).toMatchObject({
        type: "about:blank",
        status,
        title: expect.any(String),
        detail: expect.any(String),
      });
      expect(problem.requestId).toBe(response.headers.get("x-request-id"));
      if (pointers)
        expect((problem.errors as { pointer: string }[]).map((error) => error.pointer)).toEqual(pointers);
      for (const bot of await parley.store.bots.list()) {
        if (bot.id === "private" || bot.id === "terse")
          expect(await parley.store.usage.read(bot.key, Date.now())).toBe(0);
      }
    },
  );

  test("takes exactly 64 KiB", async () => {
    const response = await parley.chat(`{"botId":"shop","input":"where is my order"}`.padEnd(65_536));
    expect(response.status).toBe(200);
  });

  test("a text that is too long is refused with the length that is possible, as a number", async () => {
    const response = await parley.chat({ botId: "terse", input: "😀".repeat(11) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ pointer: "/input", maxLength: 10 }] });
  });

  test("takes exactly 4,000 characters, each of two UTF-16 units", async () => {
    const response = await parley.chat({ botId: "shop", input: "😀".repeat(4000) });
    expect(response.status).toBe(200);
  });

  test.each([undefined, "text/plain", "application/json; charset=latin1", "multipart/form-data"])(
    "content type %p is 400",
    async (contentType) => {
      const response = await fetch(`${parley.url}/chat`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${parley.token}`,
          ...(contentType && { "Content-Type": contentType }),
        },
        body: new TextEncoder().encode('{"botId":"shop","input":"hi"}'),
      });
      expect(response.status).toBe(400);
    },
  );
});

describe("authentication", () => {
  test.each([
    ["no token", null],
    ["an empty token", ""],
    ["a token of the wrong shape", "secret"],
    ["a token with a wrong checksum", `parley_et_${"a".repeat(36)}`],
  ])("%s is 401", async (_, token) => {
    const response = await parley.chat({ botId: "shop", input: "hi" }, { token });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await response.json()).toMatchObject({ code: "UNAUTHORIZED" });
  });

  test("a token that was never issued is 401", async () => {
    const other = await startParley();
    const response = await parley.chat({ botId: "shop", input: "hi" }, { token: other.token });
    await other[Symbol.asyncDispose]();
    expect(response.status).toBe(401);
  });

  test("an expired token is 401", async () => {
    const token = await parley.issueToken(["shop"], Date.now() - 1);
    const response = await parley.chat({ botId: "shop", input: "hi" }, { token });
    expect(response.status).toBe(401);
  });

  test("a token for another bot is 401", async () => {
    const token = await parley.issueToken(["default"]);
    const response = await parley.chat({ botId: "shop", input: "hi" }, { token });
    expect(response.status).toBe(401);
  });

  test("no answer echoes the token", async () => {
    const response = await parley.chat({ botId: "shop", input: "hi" }, { token: "parley_et_leak" });
    expect(await response.text()).not.toContain("leak");
  });
});

describe("the order of checks", () => {
  test("a missing token goes before a malformed body", async () => {
    const response = await parley.chat("not json", { token: null });
    expect(response.status).toBe(401);
  });

  test("a body that is too large goes before its content type", async () => {
    const headers = { "Content-Type": "text/plain" };
    const response = await parley.chat("x".repeat(70_000), { headers });
    expect(response.status).toBe(413);
  });

  test("a long input goes before an unknown bot", async () => {
    const response = await parley.chat({ botId: "nobody", input: "a".repeat(4001) });
    expect(response.status).toBe(400);
  });

  test("an unknown bot goes before the token's bots", async () => {
    const response = await parley.chat(
      { botId: "nobody", input: "hi" },
      { token: await parley.issueToken(["default"]) },
    );
    expect(response.status).toBe(404);
  });

  test("the token's bots go before the domain", async () => {
    const response = await parley.chat(
      { botId: "private", input: "hi" },
      { token: await parley.issueToken(["shop"]) },
    );
    expect(response.status).toBe(401);
  });
});

describe("domains", () => {
  const chatFrom = (headers: Record<string, string>) =>
    parley.chat({ botId: "private", input: "where is my order" }, { headers });

  test.each([
    ["an allowed Origin", { Origin: "https://shop.example" }, 200],
    ["the Referer where there is no Origin", { Referer: "https://shop.example/cart?x=1" }, 200],
    ["a look-alike Origin", { Origin: "https://shop.example.evil.test" }, 403],
    ["an Origin that is null", { Origin: "null" }, 403],
    [
      "a bad Origin beside a good Referer",
      { Origin: "https://evil.test", Referer: "https://shop.example/" },
      403,
    ],
  ])("%s is decided", async (_, headers, status) => {
    const response = await chatFrom(headers);
    expect(response.status).toBe(status);
  });

  test("a refusal names no entry", async () => {
    const response = await chatFrom({ Origin: "https://evil.test" });
    expect(await response.text()).not.toContain("shop.example");
  });
});

describe("a body without a content length", () => {
  const inPieces = (pieces: string[]) =>
    new ReadableStream({
      async start(controller) {
        for (const piece of pieces) {
          controller.enqueue(new TextEncoder().encode(piece));
          await Bun.sleep(1);
        }
        controller.close();
      },
    });
  const send = (pieces: string[]) =>
    fetch(`${parley.url}/chat`, {
      method: "POST",
      headers: { Authorization: `Bearer ${parley.token}`, "Content-Type": "application/json" },
      body: inPieces(pieces),
    });

  test("is read to its end", async () => {
    expect((await send(['{"botId":"shop",', '"input":"where is my order"}'])).status).toBe(200);
  });

  test("is refused once it passes 64 KiB", async () => {
    expect((await send(Array.from({ length: 9 }, () => " ".repeat(8192)))).status).toBe(413);
  });
});
