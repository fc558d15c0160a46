import { beforeEach, describe, expect, test } from "bun:test";

import { newEmbedTokenId, secureRandomBytes } from "../../../src/domain/ids.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { shopBot } from "../../support/bots.ts";
import { openTestStore } from "../../support/store-under-test.ts";

const clock = { nowMs: 1000 };
const SEED = { prune: false, dryRun: false };
let store: Store;

beforeEach(async () => {
  ({ store } = await openTestStore(":memory:", () => clock.nowMs));
  await store.bots.seed([shopBot()], SEED);
});

const seeded = async (bot = shopBot(), options = SEED) =>
  (await store.bots.seed([bot], options)).map(({ change }) => change);

describe("seeding", () => {
  test("adds a version only where the document changed", async () => {
    expect(await seeded()).toEqual(["unchanged"]);
    expect(await store.bots.find("shop")).toMatchObject({ version: 1, enabled: true });
    expect(await seeded(shopBot({ name: "Other" }))).toEqual(["updated"]);
    expect(await store.bots.find("shop")).toMatchObject({ version: 2, document: { name: "Other" } });
    expect((await store.bots.findVersion((await store.bots.find("shop"))!.key, 1))?.name).toBe("Shop");
  });

  test("leaves a bot disabled unless the file says otherwise, and says when that changed", async () => {
    await store.bots.setEnabled("shop", false);
    expect(await seeded()).toEqual(["unchanged"]);
    expect((await store.bots.find("shop"))?.enabled).toBe(false);
    clock.nowMs = 2000;
    expect(await seeded(shopBot({ enabled: true }))).toEqual(["updated"]);
    expect(await store.bots.find("shop")).toMatchObject({ enabled: true, version: 1, updatedAt: 2000 });
  });

  test("as a dry run says what would change, and changes nothing", async () => {
    const outcomes = await store.bots.seed([shopBot({ id: "new" })], { prune: true, dryRun: true });
    expect(outcomes.map(({ change }) => change)).toEqual(["created", "deleted"]);
    expect((await store.bots.list()).map(({ id }) => id as string)).toEqual(["shop"]);
  });

  test("prunes those of a list alone: a bot that came since nobody was asked about", async () => {
    await store.bots.seed([shopBot({ id: "asked" }), shopBot({ id: "came-since" })], SEED);
    const asked = [(await store.bots.find("asked"))!.id];
    await store.bots.seed([shopBot()], { prune: asked, dryRun: false });
    expect((await store.bots.list()).map(({ id }) => id as string)).toEqual(["came-since", "shop"]);
  });

  test("prunes what is not among the documents, with its grants in embed tokens", async () => {
    await store.embedTokens.create({
      id: newEmbedTokenId(0, secureRandomBytes),
      hash: new Uint8Array([1]),
      botIds: [shopBot().id],
    });
    expect(await store.bots.seed([shopBot({ id: "new" })], { prune: true, dryRun: false })).toHaveLength(2);
    expect((await store.bots.list()).map(({ id }) => id as string)).toEqual(["new"]);
    expect((await store.embedTokens.list())[0]?.botIds).toEqual([]);
  });
});

describe("what the examples of a model mean", () => {
  const trained = { model: Uint8Array.of(1), sentences: Uint8Array.of(2, 3) };
  const seedWith = (id: string, model: typeof trained | Pick<typeof trained, "model">) =>
    store.bots.seed([shopBot()], SEED, {
      idOf: new Map([["shop", id]]),
      trained: new Map([[id, model]]),
    });

  test("is stored with the model, and found by its id", async () => {
    await seedWith("a", trained);
    expect([...(await store.findIntentModel("a"))!]).toEqual([1]);
    expect([...(await store.findSentenceModel("a"))!]).toEqual([2, 3]);
  });

  test("is missing where there is none", async () => {
    await seedWith("a", { model: trained.model });
    expect(await store.findSentenceModel("a")).toBeUndefined();
    expect(await store.findSentenceModel("b")).toBeUndefined();
  });

  test("stays as it is when the same model comes again", async () => {
    await seedWith("a", trained);
    await seedWith("a", { ...trained, sentences: Uint8Array.of(9) });
    expect([...(await store.findSentenceModel("a"))!]).toEqual([2, 3]);
  });

  test("goes with the model", async () => {
    await seedWith("a", trained);
    await seedWith("b", trained);
    clock.nowMs += 61_000;
    await seedWith("b", trained);
    expect(await store.findIntentModel("a")).toBeUndefined();
    expect(await store.findSentenceModel("a")).toBeUndefined();
    expect([...(await store.findSentenceModel("b"))!]).toEqual([2, 3]);
  });
});
