import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { SentenceVectors } from "../../src/bots/sentence-vectors.ts";
import { understandBy } from "../../src/bots/understanding.ts";
import { EncoderThread } from "../../src/intent/classifier.ts";
import { explainTurn } from "../../src/operate/explain.ts";
import type { StoredTurn } from "../../src/store/interface/conversations.ts";
import { passagesEncoded, seedFolder } from "../support/knowledge.ts";
import { ordersBot } from "../support/orders-bot.ts";
import { startParley, type TestParley } from "../support/parley.ts";
import { decisionOf, judge, previewTurns } from "../support/preview-turns.ts";

const DOCUMENTS = {
  "docs/gift-cards.md": `# Gift cards

## How long gift cards last

A gift card never expires. It can be spent in parts.

## Lost gift cards

With the receipt we block a lost gift card and send another one.`,
  "docs/courses.md": `# Climbing courses

## For children

For children there are courses on Saturdays. Bring an eraser for the account of your climbs.

## For adults

For adults there are courses on Sundays.

## Deleting an account

Whoever deletes an account loses its courses.`,
};

/** What visitors say, in any order: requests, follow-ups, data, courtesies, complaints, and what is denied. */
const MESSAGES = [
  "where is my order",
  "track my parcel",
  "48213",
  "it is 48213",
  "ann@example.org",
  "48213 and ann@example.org",
  "cancel my order",
  "cancel my order 48213, my address is ann@example.org",
  "yes",
  "no",
  "never mind",
  "and on sunday?",
  "when are you open",
  "is the shop open at christmas, and where is my order?",
  "delete my account",
  "could you get rid of whatever you know about me",
  "how does deleting an account work",
  "is wayfair cheaper",
  "How long do gift cards last?",
  "what happens if my gift card gets stolen",
  "and if i lose it?",
  "are there courses for children",
  "and for adults?",
  "tell me more",
  "what about grown-ups",
  "Wie lange sind Geschenkkarten gültig?",
  "wann habt ihr offen",
  "hello",
  "thanks",
  "what can you do",
  "that's wrong",
  "i want to speak to a person",
  "goodbye",
  "when",
  "open",
  "order",
  "the first one",
  "how do i bake bread without yeast",
  "+41 79 123 45 67",
];

/** Between two messages of a conversation: seconds, or longer than a message is read together with others, or than proofs are kept. */
const PAUSES_MS = [2000, 5000, 9000, 11 * 60_000, 16 * 60_000];
const CONVERSATIONS = 24;
const TURNS = 9;

/** A linear congruential generator, so that each run is the same (Numerical Recipes). */
function chooser(seed: number) {
  let state = seed;
  return <Item>(items: readonly Item[]): Item => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return items[Math.floor((state / 2 ** 32) * items.length)]!;
  };
}

const folder = mkdtempSync(join(tmpdir(), "parley-again-"));
let parley: TestParley;
const encoder = new EncoderThread();
const turns: StoredTurn[] = [];

beforeAll(async () => {
  for (const [name, text] of Object.entries(DOCUMENTS)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  let at = Date.now();
  parley = await startParley({
    bots: [ordersBot()],
    parts: { now: () => at },
  });
  await seedFolder(parley.store, "shop", folder, ["docs/"]);
  await passagesEncoded(parley.store);
  // A server notices documents by itself.
  while ((await parley.say("How long do gift cards last?")).intentDetected !== "knowledge")
    await Bun.sleep(20);
  const choose = chooser(7);
  for (let i = 0; i < CONVERSATIONS; i++) {
    let conversationId: string | undefined;
    for (let turn = 0; turn < TURNS; turn++) {
      const said = await parley.say(choose(MESSAGES), conversationId === undefined ? {} : { conversationId });
      ({ conversationId } = said);
      at += choose(PAUSES_MS);
    }
    turns.push(...(await parley.store.conversations.listTurns(conversationId!)));
  }
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  encoder[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** A turn for a message of failure: what was said up to it. */
const saidUntil = ({ conversationId, requestId, input }: StoredTurn): string => {
  const all = turns.filter((turn) => turn.conversationId === conversationId);
  const before = all.slice(
    0,
    all.findIndex((turn) => turn.requestId === requestId),
  );
  return [...before.map((turn) => turn.input), input].join(" → ");
};

describe("a stored turn in its conversation", () => {
  test("is of many kinds here, so that these tests say something", () => {
    const rules = new Set(turns.map(({ receipt }) => receipt.rule));
    expect(turns.length).toBe(CONVERSATIONS * TURNS);
    for (const rule of ["action", "knowledge", "deny-term", "follow-up", "social", "no-match"] as const)
      expect([...rules]).toContain(rule);
  });

  test("is decided the same way by `explain`, with the same evidence", async () => {
    const vectors = new SentenceVectors(encoder);
    const deciding = { judge, understand: understandBy(encoder), vectors };
    for (const turn of turns) {
      const { replayed, agrees } = (await explainTurn(parley.store, turn.requestId, { deciding }))!;
      const said = saidUntil(turn);
      const { readings, candidates, suggestions } = turn.receipt;
      expect({ said, agrees, rule: replayed.receipt.rule }).toEqual({
        said,
        agrees: true,
        rule: turn.receipt.rule,
      });
      const { receipt } = replayed;
      expect({ said, ...pick(receipt) }).toEqual({
        said,
        ...pick({ readings, candidates, suggestions } as never),
      });
    }
  });

  test("is decided the same way by the live version in a preview", async () => {
    const { messages, decided } = await previewTurns(parley.store, "shop", encoder);
    expect(messages).toBeGreaterThanOrEqual(turns.length);
    for (const { turn, decision } of decided) {
      const said = saidUntil(turn);
      expect({ said, decision }).toEqual({ said, decision: decisionOf(turn) });
    }
  });
});

function pick({ readings, candidates, suggestions }: Partial<StoredTurn["receipt"]>) {
  return { readings, candidates, suggestions };
}
