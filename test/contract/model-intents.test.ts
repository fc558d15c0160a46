import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";

import type { BotDocument } from "../../src/domain/bot.ts";
import { explainTurn } from "../../src/operate/explain.ts";
import { shopBot } from "../support/bots.ts";
import { HANG_MS } from "../support/eventually.ts";
import {
  type Reply,
  type TestModelServer,
  embeds,
  fails,
  startModelServer,
} from "../support/model-server.ts";
import { type TestParley, startParley } from "../support/parley.ts";

/** No word of it is in an example. */
const PARAPHRASE = "Sendung überfällig?";
const TOPICS = [/order|parcel|package|Sendung/, /account|data|profile/, /joke|laugh|funny/];
const understands = embeds((text) => TOPICS.map((topic) => (topic.test(text) ? 1 : 0.05)));
let mock: TestModelServer;
let parley: TestParley;

beforeAll(async () => {
  mock = await startModelServer();
});
afterAll(() => mock[Symbol.asyncDispose]());

const bots: BotDocument[] = [
  shopBot(),
  shopBot({ id: "embedding", classifier: { embeddings: { model: "local" } } }),
  shopBot({ id: "frugal", classifier: { embeddings: { model: "local" } }, monthlyTokenBudget: 1 }),
];

beforeEach(async () => {
  const local = { baseUrl: mock.baseUrl, model: "tiny", timeoutMs: HANG_MS };
  parley = await startParley({ bots, flags: { models: JSON.stringify({ local }) } });
});
afterEach(() => parley[Symbol.asyncDispose]());

async function ask(botId: string, input: string, reply: Reply) {
  mock.replyWith(reply);
  const response = await parley.chat({ botId, input });
  const turn = (await parley.store.conversations.findTurnByRequest(response.headers.get("x-request-id")!))!;
  return { turn, ...((await response.json()) as { intentDetected?: string; metadata: object }) };
}

describe("embeddings of a server", () => {
  test("find an intent in words that no example has", async () => {
    expect((await parley.say(PARAPHRASE)).intentDetected).toBeUndefined();
    const { turn, intentDetected } = await ask("embedding", PARAPHRASE, understands);
    expect(intentDetected).toBe("orders.status");
    expect(turn.receipt.assistance).toMatchObject({ embeddings: "used" });
    expect(await explainTurn(parley.store, turn.requestId)).toMatchObject({ agrees: true });
  });

  test("are asked for once for each example, and kept in the database", async () => {
    await ask("embedding", PARAPHRASE, understands);
    const texts = mock.requests.map(({ body }) => body["input"] as string[]);
    expect(texts[0]).toContain("where is my order");
    expect(texts[1]).toEqual([PARAPHRASE]);
    await ask("embedding", PARAPHRASE, understands);
    expect(mock.requests.map(({ body }) => body["input"])).toEqual([[PARAPHRASE]]);
  });

  test("cost tokens: those of the message in the receipt, and those of the examples in the metrics too", async () => {
    const { turn } = await ask("embedding", PARAPHRASE, understands);
    expect(turn.receipt.model).toMatchObject({
      calls: [{ server: "local", outcome: "ok" }],
      usage: { promptTokens: 1, completionTokens: 0 },
    });
    const texts = mock.requests.flatMap(({ body }) => body["input"] as string[]);
    expect(texts.length).toBeGreaterThan(1);
    const metrics = await (await fetch(`${parley.server.operatorUrl}/metrics`)).text();
    expect(metrics).toContain(`parley_model_tokens_total{server="local",kind="prompt"} ${texts.length}`);
  });

  test("deny what they find denied", async () => {
    const { metadata } = await ask("embedding", "obliterate everything with my data", understands);
    expect(metadata).toMatchObject({ enforcementReason: "DENY_LIST" });
  });

  test("are not asked for a message that is denied already", async () => {
    const { metadata } = await ask("embedding", "delete my account", understands);
    expect(metadata).toMatchObject({ enforcementReason: "DENY_LIST" });
    expect(mock.requests).toEqual([]);
  });

  test("are done without once the token budget is spent", async () => {
    await ask("frugal", PARAPHRASE, understands);
    mock.requests.length = 0;
    const { turn, intentDetected } = await ask("frugal", "where is my order", understands);
    expect(intentDetected).toBe("orders.status");
    expect(turn.state).toBe("complete");
    expect(mock.requests).toEqual([]);
  });

  test("are done without when the server is down, and the receipt says so", async () => {
    const { turn, intentDetected } = await ask("embedding", "where is my order", fails(400));
    expect(intentDetected).toBe("orders.status");
    expect(turn.state).toBe("complete");
    expect(turn.receipt.assistance).toEqual({ embeddings: "unavailable" });
  });
});
