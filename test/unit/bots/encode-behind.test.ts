import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { EncodeBehind } from "../../../src/bots/encode-behind.ts";
import { BotRegistry } from "../../../src/bots/registry.ts";
import { trainBots } from "../../../src/bots/training.ts";
import { type EncoderInput, ENCODER_VERSION, TextVectors } from "../../../src/intent/classifier.ts";
import { createMetrics } from "../../../src/metrics.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../support/bots.ts";
import { encoderHere } from "../../support/encode-here.ts";
import { eventually } from "../../support/eventually.ts";
import { documentOf } from "../../support/knowledge.ts";

const BODY = "A gift card never expires. It can be spent in parts.";

let store: SqliteStore;
let bots: BotRegistry;
/** Passages that were encoded, in order. */
let encoded: string[];
let errors: string[];
let tests = 0;
const metrics = createMetrics();

beforeEach(async () => {
  store = new SqliteStore({ dataDir: ":memory:", now: Date.now, busyTimeoutMs: 0 });
  bots = new BotRegistry(store);
  [encoded, errors] = [[], []];
  // Each test has a model of its own, as what examples mean is known in the whole process.
  const [orders, ...others] = shopBot().intents!;
  const shop = shopBot({ intents: [{ ...orders!, label: `an order of test ${++tests}` }, ...others] });
  const documents = [shop, shopBot({ id: "documents", intents: [] })];
  const models = await trainBots(store, documents, { isEncoded: false });
  await store.bots.seed(documents, { prune: false, dryRun: false }, models);
  await bots.reload();
});
afterEach(() => store[Symbol.asyncDispose]());

const keyOf = async (id: string) => (await store.bots.find(id))!.key;
const unencoded = () => store.vectors.countUnencoded(ENCODER_VERSION);

async function addDocument(place: string): Promise<void> {
  await store.knowledge.saveDocuments(await keyOf("documents"), [documentOf(place, [BODY])]);
}

/** Examples as they are, as what they mean is known in the whole process from then on. */
async function encode(input: EncoderInput): Promise<Float32Array | undefined> {
  const { form, text } = input;
  if (form !== "passage") return encoderHere.encode(input);
  encoded.push(text);
  return Float32Array.from({ length: 8 }, (_, i) => Math.sin(text.length + i));
}

interface Options {
  encode?: typeof encode;
  readDocument?: BotRegistry["readDocument"];
}

function openBehind({ encode: by = encode, readDocument = (head) => bots.readDocument(head) }: Options = {}) {
  const told = ({ err }: { err: Error }) => void errors.push(err.message);
  return new EncodeBehind({
    store,
    bots: { heads: () => bots.heads(), readDocument },
    log: { info: () => {}, error: told },
    metrics,
    random: () => 0.9,
    encoder: { encode: by },
    retryMs: 1,
  });
}

describe("encoding behind", () => {
  test("stores what examples mean, and the texts of a passage", async () => {
    await addDocument("gift-cards.md");
    expect(await unencoded()).toEqual({ bots: 2, passages: 1 });
    await using behind = openBehind();
    behind.nudge();
    await behind.idle();
    expect(await unencoded()).toEqual({ bots: 0, passages: 0 });
    expect(encoded.toSorted()).toEqual([
      "gift-cards.md",
      "gift-cards.md. A gift card never expires.",
      "gift-cards.md. A gift card never expires. It can be spent in parts.",
      "gift-cards.md. It can be spent in parts.",
    ]);
    const [passage] = await store.knowledge.listPassageIds(await keyOf("documents"));
    const stored = new TextVectors((await store.vectors.findPassageVectors(passage!, ENCODER_VERSION))!);
    expect(stored.find("gift-cards.md. It can be spent in parts.")).toHaveLength(8);
  });

  test("encodes what is new, and nothing twice", async () => {
    await addDocument("gift-cards.md");
    await using behind = openBehind();
    behind.nudge();
    await behind.idle();
    encoded = [];
    await addDocument("vouchers.md");
    behind.nudge();
    await behind.idle();
    expect(encoded).toContain("vouchers.md");
    expect(encoded).not.toContain("gift-cards.md");
    encoded = [];
    behind.nudge();
    await behind.idle();
    expect(encoded).toEqual([]);
  });

  test("reads the documents of a bot that was disabled before", async () => {
    await addDocument("gift-cards.md");
    await store.bots.setEnabled("documents", false);
    await bots.reload();
    await using behind = openBehind();
    behind.nudge();
    await behind.idle();
    expect(encoded).toEqual([]);
    await store.bots.setEnabled("documents", true);
    await bots.reload();
    behind.nudge();
    await behind.idle();
    expect(await unencoded()).toEqual({ bots: 0, passages: 0 });
  });

  test("passes over a bot that cannot be read, says so once, and tries again", async () => {
    await addDocument("gift-cards.md");
    let tries = 0;
    let isBroken = true;
    await using behind = openBehind({
      readDocument(head) {
        if (!isBroken || head.id !== "shop") return bots.readDocument(head);
        tries++;
        return Promise.reject(new Error("damaged"));
      },
    });
    behind.nudge();
    await eventually(() => tries > 2);
    expect(errors).toEqual(["damaged"]);
    expect(await unencoded()).toEqual({ bots: 1, passages: 0 });
    isBroken = false;
    await eventually(async () => (await unencoded()).bots === 0);
  });

  test("tries again where the encoder failed, and loses nothing that was stored", async () => {
    await addDocument("gift-cards.md");
    let isBroken = true;
    await using behind = openBehind({
      encode: (input) =>
        isBroken && input.form === "passage" ? Promise.reject(new Error("gone")) : encode(input),
    });
    behind.nudge();
    await behind.idle();
    expect(errors).toEqual(["gone"]);
    expect(await unencoded()).toEqual({ bots: 0, passages: 1 });
    isBroken = false;
    await eventually(async () => (await unencoded()).passages === 0);
  });
});
