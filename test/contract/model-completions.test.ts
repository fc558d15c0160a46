import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { LLMock } from "@copilotkit/aimock";

import { takeEvents } from "../../src/domain/event-stream.ts";
import { type WrittenFields, kioskBot } from "../support/bots.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const QUESTION = "when are you open";
const GOOD = '{"hours":"9-5"}';
const FALLBACK = '{"hours":"unknown"}';
const SCHEMA = {
  type: "object",
  required: ["hours"],
  properties: { hours: { type: "string" } },
  additionalProperties: false,
};

interface Sent {
  content: string;
  finishReason?: string;
}

let mock: LLMock;
let parley: TestParley;
/** What the model says next; the last one stays. */
let completions: Sent[] = [];

beforeAll(async () => {
  mock = new LLMock({ port: 0 });
  mock.onMessage(/.*/s, () => (completions.length > 1 ? completions.shift() : completions[0])!);
  await mock.start();
  const models = JSON.stringify({ local: { baseUrl: `${mock.url}/v1`, model: "tiny" } });
  const fields: WrittenFields = {
    responder: { kind: "model" },
    outputSchema: SCHEMA,
    fallbackResponse: FALLBACK,
  };
  parley = await startParley({
    bots: [
      kioskBot("scripted", fields),
      kioskBot("scripted", { ...fields, id: "lenient", outputSchema: { type: "object" } }),
    ],
    flags: { models },
  });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await mock.stop();
});
beforeEach(() => mock.clearRequests());

const callsMade = () => mock.getRequests().length;
const lastPrompt = () => JSON.stringify(mock.getRequests().at(-1)?.body);

function ask(botId = "kiosk", headers: Record<string, string> = {}): Promise<Response> {
  return parley.chat({ botId, input: QUESTION }, { headers });
}

async function streamed(): Promise<string> {
  const text = await (await ask("kiosk", { Accept: "text/event-stream" })).text();
  return takeEvents(text)
    .events.filter(({ event }) => event === "delta")
    .map(({ data }) => (JSON.parse(data) as { text: string }).text)
    .join("");
}

describe("a completion that can be healed", () => {
  test.each([
    ["whole", GOOD],
    ["in a fence", `Sure!\n\`\`\`json\n${GOOD}\n\`\`\``],
    ["with words around it", `Here it is: ${GOOD} Anything else?`],
    ["with a trailing comma", '{"hours":"9-5",}'],
    ["in single quotes", "{'hours': '9-5'}"],
    ["after a thought", `<think>{"hours":1}</think>${GOOD}`],
    ["twice", `${GOOD}\n${GOOD}`],
  ])("%s is taken at once", async (_, content) => {
    completions = [{ content }];
    const { response, metadata } = await parley.say(QUESTION, { botId: "kiosk" });
    expect(JSON.parse(response)).toEqual(JSON.parse(GOOD));
    expect(metadata).toMatchObject({ schemaEnforced: true, schemaFallbackUsed: false });
    expect(callsMade()).toBe(1);
    expect(JSON.parse(await streamed())).toEqual(JSON.parse(GOOD));
  });
});

describe.each<[string, Sent, string]>([
  ["plain words", { content: "Nine to five." }, "not JSON"],
  ["a wrong type", { content: '{"hours":9}' }, "/hours"],
  ["a missing field", { content: "{}" }, "hours"],
  ["a field too many", { content: '{"hours":"9","x":1}' }, "/x"],
  ["a value that breaks off", { content: '{"hours":"9-' }, "not JSON"],
  ["the token limit", { content: '{"hours":"9-5"}', finishReason: "length" }, "cut off"],
  ["the schema itself", { content: JSON.stringify(SCHEMA) }, "the response"],
  ["empty brackets", { content: "[]" }, "the response"],
  ["null", { content: "null" }, "the response"],
  ["a quoted text", { content: '"9-5"' }, "the response"],
  ["two answers in a list", { content: `[${GOOD},${GOOD}]` }, "the response"],
  ["a refusal in words", { content: "I cannot help with that." }, "not JSON"],
])("a completion that is %s", (_, bad, fault) => {
  test("is repaired once, told of the fault", async () => {
    completions = [bad, { content: GOOD }];
    const body = await (await ask()).json();
    expect(body).toMatchObject({
      response: GOOD,
      metadata: { schemaEnforced: true, schemaFallbackUsed: false },
    });
    expect(callsMade()).toBe(2);
    expect(lastPrompt()).toContain(fault);
  });

  test("and stays so is replaced by the fallback, also in a stream", async () => {
    completions = [bad];
    expect(await (await ask()).json()).toMatchObject({
      response: FALLBACK,
      metadata: {
        capabilityAllowed: true,
        enforcementReason: "schema_fallback",
        schemaEnforced: true,
        schemaFallbackUsed: true,
        schemaValidationError: expect.stringContaining(fault),
      },
    });
    expect(callsMade()).toBe(2);
    expect(await streamed()).toBe(FALLBACK);
  });
});

test("a schema that would take itself for an answer is still not echoed", async () => {
  completions = [{ content: '{"type": "object"}' }];
  expect(await (await ask("lenient")).json()).toMatchObject({
    response: FALLBACK,
    metadata: { schemaValidationError: expect.stringContaining("repeats the schema") },
  });
});

test("a repair shows in the receipt, with the tokens of both calls", async () => {
  completions = [{ content: "Nine." }, { content: GOOD }];
  const response = await ask();
  const turn = await parley.store.conversations.findTurnByRequest(response.headers.get("x-request-id")!);
  expect(turn?.receipt.model).toMatchObject({
    wasRepaired: true,
    calls: [{ outcome: "ok" }, { outcome: "ok" }],
  });
  expect(turn?.receipt.model?.usage.completionTokens).toBeGreaterThan(0);
});
