import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { ENCODER_VERSION, type EncoderInput, EncoderThread } from "../../src/intent/classifier.ts";
import { explainTurn } from "../../src/operate/explain.ts";
import type { StoredTurn } from "../../src/store/interface/conversations.ts";
import { shopBot } from "../support/bots.ts";
import { passagesEncoded, seedFolder } from "../support/knowledge.ts";
import { startParley, type TestParley } from "../support/parley.ts";

const DOCUMENTS = {
  "docs/gift-cards.md": `# Gift cards

## How long gift cards last

A gift card never expires. It can be spent in parts.

## Lost gift cards

With the receipt we block a lost gift card and send another one.`,
  "docs/tents.md": `# Tents and sleeping bags

## Drying a wet tent

Hang a wet tent over a line in the shade until it is dry. Never put a tent into a dryer.

## Washing a sleeping bag

Wash a sleeping bag at thirty degrees with a soap for down.`,
  "docs/courses.md": `# Climbing courses

## For children

For children there are courses on Saturdays.

## For adults

For adults there are courses on Sundays.`,
};
const SURE = "How long do gift cards last?";
/** Words find the passage, and are not sure of it. */
const UNSURE = "what happens if my gift card gets stolen";

let folder: string;
let parley: TestParley;
const encoded: string[] = [];
const thread = new EncoderThread();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "parley-meaning-"));
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  parley = await serve({
    encode(input: EncoderInput) {
      encoded.push(input.text);
      return thread.encode(input);
    },
  });
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  thread[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A bot that answers from documents alone, so that whatever is encoded is encoded for them. */
async function serve(encoder: Pick<EncoderThread, "encode">): Promise<TestParley> {
  const served = await startParley({
    bots: [shopBot({ id: "shop", intents: [], capabilityProfile: {} })],
    parts: { encoder },
  });
  await seedFolder(served.store, "shop", folder, ["docs/"]);
  await passagesEncoded(served.store);
  // A server notices documents by itself.
  while ((await served.say(SURE, { botId: "shop" })).intentDetected !== "knowledge") await Bun.sleep(20);
  return served;
}

async function ask(served: TestParley, input: string) {
  const { conversationId, ...answer } = await served.say(input, { botId: "shop" });
  const turn: StoredTurn = (await served.store.conversations.listTurns(conversationId)).at(-1)!;
  return { ...answer, turn, receipt: turn.receipt };
}

describe("a question in another language than the documents", () => {
  test.each([
    ["Wie lange sind Geschenkkarten gültig?", "A gift card never expires. It can be spent in parts."],
    ["¿Hay cursos para adultos los domingos?", "For adults there are courses on Sundays."],
  ])("is answered from English ones: %s", async (question, response) => {
    expect(await ask(parley, question)).toMatchObject({
      intentDetected: "knowledge",
      response: expect.stringContaining(response),
    });
  });

  test("is decided the same way again by `explain`", async () => {
    const { turn } = await ask(parley, "Wie wasche ich einen Schlafsack?");
    expect(turn.intent as string).toBe("knowledge");
    expect(await explainTurn(parley.store, turn.requestId)).toMatchObject({
      agrees: true,
      replayed: {
        receipt: { knowledge: turn.receipt.knowledge && { confidence: turn.receipt.knowledge.confidence } },
      },
    });
  });
});

describe("what a message means", () => {
  test("is weighed, as the receipt says, by what is stored of passages", async () => {
    encoded.length = 0;
    const { receipt } = await ask(parley, UNSURE);
    expect(receipt.knowledge?.meaning).toBe("used");
    expect(receipt.encoder).toBe(ENCODER_VERSION);
    expect(encoded).toEqual([UNSURE]);
  });

  test("is weighed again by `explain`, with the same confidence", async () => {
    const { turn } = await ask(parley, UNSURE);
    const explained = await explainTurn(parley.store, turn.requestId);
    expect(explained?.agrees).toBe(true);
    expect(explained?.replayed.receipt.knowledge?.confidence).toBe(turn.receipt.knowledge!.confidence);
  });
});

describe("where the encoder fails", () => {
  const encode = () => Promise.reject(new Error("gone"));

  test("words decide, and the receipt says so", async () => {
    await using broken = await serve({ encode });
    const { receipt, intentDetected, response } = await ask(broken, UNSURE);
    expect(receipt.understanding).toBe("unavailable");
    expect(receipt.knowledge).toMatchObject({ meaning: "unavailable" });
    expect(receipt.knowledge?.passages[0]?.document).toBeString();
    expect(await ask(broken, SURE)).toMatchObject({ intentDetected: "knowledge" });
    expect({ intentDetected, response }).not.toMatchObject({ response: "" });
  });

  test("the same comes of it when it is decided again", async () => {
    await using broken = await serve({ encode });
    const { turn } = await ask(broken, UNSURE);
    const explained = await explainTurn(broken.store, turn.requestId);
    expect(explained?.agrees).toBe(true);
    expect(explained?.replayed.receipt.knowledge?.confidence).toBe(turn.receipt.knowledge!.confidence);
  });
});
