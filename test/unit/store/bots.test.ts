import { beforeEach, describe, expect, test } from "bun:test";

import { newEmbedTokenId, secureRandomBytes } from "../../../src/domain/ids.ts";
import { Store } from "../../../src/store/store.ts";
import { shopBot } from "../../support/bots.ts";

const clock = { nowMs: 1000 };
const SEED = { prune: false, dryRun: false };
let store: Store;

beforeEach(() => {
  store = new Store({ dataDir: ":memory:", now: () => clock.nowMs, busyTimeoutMs: 0 });
  store.bots.seed([shopBot()], SEED);
});

const seeded = (bot = shopBot(), options = SEED) =>
  store.bots.seed([bot], options).map(({ change }) => change);

describe("seeding", () => {
  test("adds a version only where the document changed", () => {
    expect(seeded()).toEqual(["unchanged"]);
    expect(store.bots.find("shop")).toMatchObject({ version: 1, enabled: true });
    expect(seeded(shopBot({ name: "Other" }))).toEqual(["updated"]);
    expect(store.bots.find("shop")).toMatchObject({ version: 2, document: { name: "Other" } });
    expect(store.bots.findVersion(store.bots.find("shop")!.key, 1)?.name).toBe("Shop");
  });

  test("leaves a bot disabled unless the file says otherwise, and says when that changed", () => {
    store.bots.setEnabled("shop", false);
    expect(seeded()).toEqual(["unchanged"]);
    expect(store.bots.find("shop")?.enabled).toBe(false);
    clock.nowMs = 2000;
    expect(seeded(shopBot({ enabled: true }))).toEqual(["updated"]);
    expect(store.bots.find("shop")).toMatchObject({ enabled: true, version: 1, updatedAt: 2000 });
  });

  test("as a dry run says what would change, and changes nothing", () => {
    const outcomes = store.bots.seed([shopBot({ id: "new" })], { prune: true, dryRun: true });
    expect(outcomes.map(({ change }) => change)).toEqual(["created", "deleted"]);
    expect(store.bots.list().map(({ id }) => id as string)).toEqual(["shop"]);
  });

  test("prunes those of a list alone: a bot that came since nobody was asked about", () => {
    store.bots.seed([shopBot({ id: "asked" }), shopBot({ id: "came-since" })], SEED);
    const asked = [store.bots.find("asked")!.id];
    store.bots.seed([shopBot()], { prune: asked, dryRun: false });
    expect(store.bots.list().map(({ id }) => id as string)).toEqual(["came-since", "shop"]);
  });

  test("prunes what is not among the documents, with its grants in embed tokens", () => {
    store.embedTokens.create({
      id: newEmbedTokenId(0, secureRandomBytes),
      hash: new Uint8Array([1]),
      botIds: [shopBot().id],
    });
    expect(store.bots.seed([shopBot({ id: "new" })], { prune: true, dryRun: false })).toHaveLength(2);
    expect(store.bots.list().map(({ id }) => id as string)).toEqual(["new"]);
    expect(store.embedTokens.list()[0]?.botIds).toEqual([]);
  });
});

describe("what the examples of a model mean", () => {
  const trained = { model: Uint8Array.of(1), sentences: Uint8Array.of(2, 3) };
  const seedWith = (id: string, model: typeof trained | Pick<typeof trained, "model">) =>
    store.bots.seed([shopBot()], SEED, {
      idOf: new Map([["shop", id]]),
      trained: new Map([[id, model]]),
    });

  test("is stored with the model, and found by its id", () => {
    seedWith("a", trained);
    expect([...store.findIntentModel("a")!]).toEqual([1]);
    expect([...store.findSentenceModel("a")!]).toEqual([2, 3]);
  });

  test("is missing where there is none", () => {
    seedWith("a", { model: trained.model });
    expect(store.findSentenceModel("a")).toBeUndefined();
    expect(store.findSentenceModel("b")).toBeUndefined();
  });

  test("stays as it is when the same model comes again", () => {
    seedWith("a", trained);
    seedWith("a", { ...trained, sentences: Uint8Array.of(9) });
    expect([...store.findSentenceModel("a")!]).toEqual([2, 3]);
  });

  test("goes with the model", () => {
    seedWith("a", trained);
    seedWith("b", trained);
    clock.nowMs += 61_000;
    seedWith("b", trained);
    expect(store.findIntentModel("a")).toBeUndefined();
    expect(store.findSentenceModel("a")).toBeUndefined();
    expect([...store.findSentenceModel("b")!]).toEqual([2, 3]);
  });
});
