import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { type EncoderInput, EncoderThread } from "../../src/intent/classifier.ts";
import { explainTurn } from "../../src/operate/explain.ts";
import { botWith, shopBot } from "../support/bots.ts";
import { ordersBot } from "../support/orders-bot.ts";
import { type TestParley, startParley } from "../support/parley.ts";

/** No word of it is in an example. */
const PARAPHRASE = "how long until the goods get here";

const praxis = botWith({
  id: "praxis",
  name: "Praxis",
  allowedDomains: ["*"],
  intents: [
    {
      name: "appointment.cancel",
      label: "Termin absagen",
      examples: [
        "ich möchte meinen Termin absagen",
        "Termin stornieren",
        "ich kann am Montag doch nicht kommen",
      ],
      responses: ["Abgesagt."],
    },
    {
      name: "practice.hours",
      label: "Sprechzeiten",
      examples: ["wann haben Sie geöffnet", "Ihre Sprechzeiten bitte", "ist die Praxis am Freitag offen"],
      responses: ["Von 8 bis 17 Uhr."],
    },
    {
      name: "payment.methods",
      label: "Bezahlung",
      examples: ["kann ich mit Karte bezahlen", "nehmen Sie Bargeld", "wie kann ich die Rechnung begleichen"],
      responses: ["Bar und mit Karte."],
    },
  ],
});

let parley: TestParley;
beforeAll(async () => {
  parley = await startParley({ bots: [shopBot(), praxis, ordersBot({ id: "orders" })] });
});
afterAll(() => parley[Symbol.asyncDispose]());

async function ask(server: TestParley, input: string, botId = "shop") {
  const response = await server.chat({ botId, input });
  expect(response.status).toBe(200);
  const requestId = response.headers.get("x-request-id")!;
  return (await server.store.conversations.findTurnByRequest(requestId))!;
}

/** The intents that a visitor got: answered, or asked about. */
const served = ({ intent, receipt }: Awaited<ReturnType<typeof ask>>): string[] =>
  intent === undefined ? (receipt.suggestions ?? []).map((offered) => offered.intent) : [intent];

describe("a reply to what an action asked for", () => {
  test.each([
    ["48213", undefined],
    ["ann@example.org", undefined],
    ["4. 11. 2026", undefined],
    ["the brown parcel with the ribbon", "used"],
  ])("%s is encoded only where it has words beside its data", async (input, understanding) => {
    const { conversationId } = await parley.say("where is my order", { botId: "orders" });
    await parley.say(input, { botId: "orders", conversationId });
    const { receipt } = (await parley.store.conversations.listTurns(conversationId)).at(-1)!;
    expect(receipt.action).toMatchObject({ state: "asking" });
    expect(receipt.understanding).toBe(understanding as never);
  });
});

describe("a message without a word of the examples", () => {
  test("is understood, or asked about", async () => {
    const turn = await ask(parley, PARAPHRASE);
    expect(served(turn)).toContain("orders.status");
    expect(turn.receipt.understanding).toBe("used");
    expect(turn.receipt.stagesMs["understand"]).toBeGreaterThan(0);
  });

  test("is understood in other languages, too", async () => {
    expect(served(await ask(parley, "akzeptiert ihr Kreditkarten?", "praxis"))).toContain("payment.methods");
    expect(served(await ask(parley, "um wie viel Uhr macht ihr auf?", "praxis"))).toContain("practice.hours");
  });

  test("is decided alike when it is decided again", async () => {
    const { requestId } = await ask(parley, PARAPHRASE);
    const explained = (await explainTurn(parley.store, requestId))!;
    expect(explained.agrees).toBe(true);
    expect(explained.replayed.receipt.readings).toEqual(explained.turn.receipt.readings);
  });

  test("leaves what is about something else alone", async () => {
    const { intent, receipt } = await ask(parley, "how do i bake bread without yeast");
    expect([intent, receipt.rule]).toEqual([undefined, "no-match"]);
  });
});

test("a message whose intent is clear takes no notice of the encoder", async () => {
  const { receipt } = await ask(parley, "where is my order");
  expect(receipt.understanding).toBeUndefined();
  expect(Object.keys(receipt.stagesMs)).toEqual(["load", "classify", "decide", "respond"]);
});

test("a server with messages of clear intent never opens the encoder", async () => {
  using thread = new EncoderThread();
  const encoded: string[] = [];
  const encoder = {
    encode(input: EncoderInput) {
      encoded.push(input.text);
      return thread.encode(input);
    },
  };
  await using quiet = await startParley({ parts: { encoder } });
  for (const input of ["where is my order", "delete my account", "yes", "tell me a joke"])
    await ask(quiet, input);
  expect(encoded).toEqual([]);
  await ask(quiet, PARAPHRASE);
  expect(encoded).toHaveLength(1);
});

describe("where the encoder fails", () => {
  test("the message is answered by its words, the log and the receipt say so, and the next one tries again", async () => {
    const logged: Record<string, unknown>[] = [];
    const failing = new URL("./no-such-worker.ts", import.meta.url);
    using encoder = new EncoderThread({ url: failing });
    await using broken = await startParley({ parts: { encoder }, onLog: (line) => void logged.push(line) });
    for (let attempt = 1; attempt <= 2; attempt++) {
      const { receipt } = await ask(broken, PARAPHRASE);
      expect(receipt.understanding).toBe("unavailable");
      const warnings = logged.filter(({ msg }) => String(msg).includes("was not encoded"));
      expect(warnings).toHaveLength(attempt);
    }
  });

  test("the same comes of it when it is decided again", async () => {
    const encoder = { encode: () => Promise.reject(new Error("gone")) };
    await using broken = await startParley({ parts: { encoder } });
    const { requestId } = await ask(broken, PARAPHRASE);
    expect(await explainTurn(broken.store, requestId)).toMatchObject({ agrees: true });
  });
});
