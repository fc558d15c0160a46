import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { CONVERSATION_MEMORY_MS } from "../../src/store/sparing-turn-store.ts";
import { shopBot } from "../support/bots.ts";
import { runInTerminal } from "../support/cli.ts";
import { filesHolding } from "../support/files.ts";
import { type TestModelServer, says, startModelServer } from "../support/model-server.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

const CANARY = "kwyjibo-4711";
const ANSWER_CANARY = "the answer holds quuxifrage-0815";
const HOUR_MS = 60 * 60 * 1000;
let server: TestModelServer;
let models: string;
const lines: string[] = [];
let elapsedMs = 0;

beforeAll(async () => {
  server = await startModelServer();
  server.replyWith(says(ANSWER_CANARY));
  models = JSON.stringify({ local: { baseUrl: server.baseUrl, model: "tiny" } });
});
afterAll(() => server[Symbol.asyncDispose]());

function start(flags: Record<string, string>): Promise<TestParley> {
  const intents = shopBot().intents!.map(({ responses: _, ...intent }) => intent);
  const schema = { outputSchema: { type: "string", maxLength: 3 }, fallbackResponse: "no" };
  elapsedMs = 0;
  return startParley({
    bots: [
      shopBot({ tests: [] }),
      shopBot({ id: "asking", intents, responder: { kind: "model" } }),
      shopBot({ id: "held", intents, responder: { kind: "model" }, ...schema }),
    ],
    flags: { models, ...flags },
    parts: { now: () => Date.now() + elapsedMs },
    onLog: (line) => lines.push(JSON.stringify(line)),
  });
}

const filesWith = ({ dataDir }: TestParley, ...texts: string[]) =>
  texts.flatMap((text) => filesHolding(dataDir, text));

const cli = ({ env }: TestParley, ...args: string[]) => runInTerminal(args, { env });

describe("with --store-messages none", () => {
  let parley: TestParley;
  beforeAll(async () => {
    parley = await start({ storeMessages: "none" });
  });
  afterAll(() => parley[Symbol.asyncDispose]());

  test("what is said is in no file of the data folder, and in no log line", async () => {
    for (const botId of ["shop", "asking", "held"]) {
      await parley.say(`where is my order ${CANARY}`, { botId });
      await parley.say(`delete my account ${CANARY}`, { botId });
      const headers = { Accept: "text/event-stream", "Idempotency-Key": `key-${botId}` };
      await (await parley.chat({ botId, input: `where is my order ${CANARY}` }, { headers })).text();
    }
    await Bun.sleep(50);
    expect(filesWith(parley, CANARY, ANSWER_CANARY)).toEqual([]);
    expect(lines.filter((line) => line.includes(CANARY) || line.includes(ANSWER_CANARY))).toEqual([]);
  });

  test("decisions and counters are stored as ever", async () => {
    const bot = (await parley.store.bots.find("shop"))!.key;
    const before = await parley.store.usage.read(bot, Date.now());
    const { conversationId } = await parley.say("delete my account");
    expect(await parley.store.usage.read(bot, Date.now())).toBe(before + 1);
    expect(await parley.store.conversations.listTurns(conversationId)).toMatchObject([
      { input: "", response: "", intent: "account.delete", metadata: { enforcementReason: "DENY_LIST" } },
    ]);
  });

  test("a conversation goes on for 30 minutes as if its texts were stored, and no longer", async () => {
    const { conversationId } = await parley.say(`where is my order ${CANARY}`, { botId: "asking" });
    const ask = () => parley.say("track my parcel please", { botId: "asking", conversationId });
    const promptHolds = (text: string) => JSON.stringify(server.requests.at(-1)?.body).includes(text);
    elapsedMs += CONVERSATION_MEMORY_MS - 1000;
    await ask();
    expect([CANARY, ANSWER_CANARY].map(promptHolds)).toEqual([true, true]);
    elapsedMs += 2000;
    await ask();
    expect(promptHolds(CANARY)).toBeFalse();
  });

  test("a retry with the same key gets the first answer for 24 hours", async () => {
    const send = async () => {
      const headers = { "Idempotency-Key": "retried" };
      const response = await parley.chat({ botId: "asking", input: "where is my order" }, { headers });
      return (await response.json()) as { response: string; conversationId: string };
    };
    const first = await send();
    const asked = server.requests.length;
    elapsedMs += 23 * HOUR_MS;
    expect(await send()).toEqual(first);
    expect(server.requests).toHaveLength(asked);
    elapsedMs += 2 * HOUR_MS;
    expect((await send()).conversationId).not.toBe(first.conversationId);
  });

  test("show, list, export, explain and audit say what is missing", async () => {
    const { conversationId } = await parley.say("blah blah blah");
    const { stdout: shown } = await cli(parley, "conversation", "show", conversationId);
    expect(shown).toContain("(not kept)");
    const json = JSON.parse((await cli(parley, "conversation", "show", conversationId, "--json")).stdout);
    expect(json.turns).toMatchObject([{ input: null, response: null, receipt: expect.anything() }]);
    expect((await cli(parley, "conversation", "list", "--bot", "shop")).stdout).toContain("(not kept)");
    const list = JSON.parse((await cli(parley, "conversation", "list", "--bot", "shop", "--json")).stdout);
    expect(list.conversations[0].latest.input).toBeNull();
    const exported = (await cli(parley, "conversation", "export", "--bot", "shop")).stdout;
    expect(JSON.parse(exported.split("\n")[0]!).turns[0]).toMatchObject({ input: null, response: null });
    const requestId = json.turns[0].requestId as string;
    const explained = await cli(parley, "explain", requestId);
    expect(explained.exitCode).toBe(0);
    expect(explained.stdout).toContain("(not kept), because the server ran with --store-messages none");
    expect(explained.stdout).toContain("replay      not possible without the message");
    expect(JSON.parse((await cli(parley, "explain", requestId, "--json")).stdout)).toMatchObject({
      turn: { botId: "shop", input: null },
      replayed: null,
    });
    const audit = (await cli(parley, "audit", "decisions", "shop")).stdout;
    expect(audit).toMatch(/Refused: \d+ messages?, \d+ of them without stored text/);
  });

  test("an unknown value stops the start with one line", async () => {
    const { exitCode, stderr } = await runInTerminal(["serve", "--store-messages", "some"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--store-messages should be one of all, none, not `some`");
  });
});

describe("with --redact", () => {
  const CARD = "4111 1111 1111 1111";
  const MAIL = "ann.canary@example.org";
  const IBAN = "DE89 3704 0044 0532 0130 00";
  const MESSAGE = `where is my order? I am ${MAIL}, paid by ${CARD} or ${IBAN}`;
  let parley: TestParley;
  beforeAll(async () => {
    parley = await start({ redact: "e-mail,card-number,iban" });
    server.replyWith(says(`Thank you, ${MAIL}.`));
  });
  afterAll(async () => {
    server.replyWith(says(ANSWER_CANARY));
    await parley[Symbol.asyncDispose]();
  });

  test("personal data of messages and answers is in no file, and its kind stands in its place", async () => {
    const { conversationId, response } = await parley.say(MESSAGE, { botId: "asking" });
    expect(response).toBe(`Thank you, ${MAIL}.`);
    expect(await parley.store.conversations.listTurns(conversationId)).toMatchObject([
      {
        input: "where is my order? I am [e-mail], paid by [card-number] or [iban]",
        response: "Thank you, [e-mail].",
      },
    ]);
    expect(filesWith(parley, CARD, MAIL, IBAN)).toEqual([]);
    expect(lines.filter((line) => [CARD, MAIL, IBAN].some((text) => line.includes(text)))).toEqual([]);
  });

  test("model servers are sent what was said", async () => {
    const { conversationId } = await parley.say(MESSAGE, { botId: "asking" });
    await parley.say("track my parcel please", { botId: "asking", conversationId });
    const prompt = JSON.stringify(server.requests.at(-1)?.body);
    expect(prompt).toContain(MESSAGE);
    expect(prompt).toContain(`Thank you, ${MAIL}.`);
  });

  test("a retry with the same key gets the first answer, unredacted", async () => {
    const send = () =>
      parley.chat({ botId: "asking", input: MESSAGE }, { headers: { "Idempotency-Key": "again" } });
    const first = await (await send()).json();
    expect(await (await send()).json()).toEqual(first);
    expect(first).toMatchObject({ response: `Thank you, ${MAIL}.` });
  });

  test("what is no personal data, and kinds that are not named, are stored as they are", async () => {
    const { conversationId } = await parley.say("where is my order 4111 1111 1111 1112, +49 30 901820");
    const [turn] = await parley.store.conversations.listTurns(conversationId);
    expect(turn?.input).toBe("where is my order 4111 1111 1111 1112, +49 30 901820");
  });

  test("an unknown kind stops the start with one line", async () => {
    const { exitCode, stderr } = await runInTerminal(["serve", "--redact", "email"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("--redact should be some of card-number, iban, e-mail, phone");
  });
});

// What PostgreSQL does with its files is its own.
describe.skipIf(isOnPostgres)("what is deleted", () => {
  const FILLER = "where is my order ".repeat(30);

  test("is in no file of the data folder any more, while the server runs on", async () => {
    await using parley = await start({});
    for (let message = 0; message < 60; message++) {
      const canary = message % 3 === 0 ? `${CANARY}-${message}` : "nothing of note";
      const { conversationId } = await parley.say(`${FILLER} ${canary}`);
      await parley.say(`delete my account ${canary}`, { conversationId });
    }
    expect(filesWith(parley, CANARY)).not.toEqual([]);
    const { exitCode, stderr } = await cli(parley, "conversation", "delete", "--matching", CANARY, "--yes");
    expect(stderr).toBe("deleted 20 conversations with 40 messages\n");
    expect(exitCode).toBe(0);
    expect(filesWith(parley, CANARY)).toEqual([]);
    const { conversationId } = await parley.say(`${FILLER} ${CANARY} alone`);
    expect((await cli(parley, "conversation", "delete", conversationId)).exitCode).toBe(0);
    expect(filesWith(parley, CANARY)).toEqual([]);
    expect((await parley.say("where is my order")).intentDetected).toBe("orders.status");
  });
});
