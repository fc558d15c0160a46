import { afterEach, beforeEach, describe, expect, test } from "bun:test";

import { newEmbedTokenId, secureRandomBytes } from "../../../src/domain/ids.ts";
import { runAs } from "../../../src/store/changes/current-actor.ts";
import type { SeedOptions } from "../../../src/store/interface/bots.ts";
import type { Store } from "../../../src/store/interface/store.ts";
import { ConsoleChangesError } from "../../../src/store/refuse-console-changes.ts";
import { shopBot } from "../../support/bots.ts";
import { openTestStore } from "../../support/store-under-test.ts";

const clock = { nowMs: 1000 };
const SEED = { prune: false, dryRun: false };
let store: Store;

beforeEach(async () => {
  ({ store } = await openTestStore(":memory:", () => clock.nowMs));
  await store.bots.seed([shopBot()], SEED);
});
afterEach(() => store[Symbol.asyncDispose]());

const seeded = async (bot = shopBot(), options: SeedOptions = SEED) =>
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
      encoder: "e",
    });

  test("is stored with the model, and found by its id", async () => {
    await seedWith("a", trained);
    expect([...(await store.findIntentModel("a"))!]).toEqual([1]);
    expect([...(await store.findSentenceModel("a", "e"))!]).toEqual([2, 3]);
  });

  test("is missing where there is none", async () => {
    await seedWith("a", { model: trained.model });
    expect(await store.findSentenceModel("a", "e")).toBeUndefined();
    expect(await store.findSentenceModel("b", "e")).toBeUndefined();
  });

  test("stays as it is when the same model comes again", async () => {
    await seedWith("a", trained);
    await seedWith("a", { ...trained, sentences: Uint8Array.of(9) });
    expect([...(await store.findSentenceModel("a", "e"))!]).toEqual([2, 3]);
  });

  test("goes with the model", async () => {
    await seedWith("a", trained);
    await seedWith("b", trained);
    clock.nowMs += 61_000;
    await seedWith("b", trained);
    expect(await store.findIntentModel("a")).toBeUndefined();
    expect(await store.findSentenceModel("a", "e")).toBeUndefined();
    expect([...(await store.findSentenceModel("b", "e"))!]).toEqual([2, 3]);
  });
});

test("an outline shows what a list needs, of all bots or of one", async () => {
  clock.nowMs = 3000;
  await store.bots.seed(
    [shopBot({ id: "a", intents: [], capabilityProfile: {}, monthlyMessageCap: 7 })],
    SEED,
  );
  await store.bots.setEnabled("shop", false);
  expect(await store.bots.outline()).toMatchObject([
    { id: "a", name: "Shop", enabled: true, version: 1, origin: "file", intents: 0, updatedAt: 3000 },
    { id: "shop", enabled: false, intents: 3, limits: {} },
  ]);
  expect(await store.bots.outline("a")).toMatchObject([{ id: "a", limits: { monthlyMessageCap: 7 } }]);
  expect(await store.bots.outline("none")).toEqual([]);
});

describe("publishing", () => {
  const yamlOf = (name: string) => `# said by the operator\nid: shop\nname: ${name}\nallowedDomains: []\n`;
  const publication = (name: string, replaces: number, facts: object = {}) => ({
    document: shopBot({ name }),
    yaml: yamlOf(name),
    replaces,
    ...facts,
  });
  const keyOf = async () => (await store.bots.find("shop"))!.key;

  test("adds a version with its text, its publisher and a note", async () => {
    const acting = { kind: "operator", name: "ann" } as const;
    const published = await runAs(acting, () =>
      store.bots.publish(publication("Spring", 1, { note: "for the sale" })),
    );
    expect(published).toBe("published");
    expect(await store.bots.find("shop")).toMatchObject({ version: 2, origin: "console" });
    expect(await store.bots.findWritten(await keyOf(), 2)).toMatchObject({
      origin: "console",
      yaml: yamlOf("Spring"),
      publishedBy: "ann",
      publishedAt: clock.nowMs,
      note: "for the sale",
      document: { name: "Spring" },
    });
    expect((await store.changes.list({ limit: 1 }))[0]).toMatchObject({
      kind: "bot.updated",
      by: { name: "ann" },
    });
  });

  test("is refused where another version was published since", async () => {
    await store.bots.publish(publication("Spring", 1));
    expect(await store.bots.publish(publication("Summer", 1))).toBe("stale");
    expect((await store.bots.find("shop"))?.document.name).toBe("Spring");
  });

  test("comes to the same when it is asked for twice", async () => {
    expect(await store.bots.publish(publication("Spring", 1))).toBe("published");
    expect(await store.bots.publish(publication("Spring", 1))).toBe("unchanged");
    expect((await store.bots.find("shop"))?.version).toBe(2);
  });

  test("makes a new bot, and no second one of that id", async () => {
    const document = shopBot({ id: "new" });
    expect(await store.bots.publish({ document, yaml: "id: new", replaces: 0 })).toBe("published");
    expect(await store.bots.publish({ document, yaml: "id: new", replaces: 0 })).toBe("taken");
    expect(await store.bots.publish({ document: shopBot({ id: "x" }), yaml: "", replaces: 3 })).toBe(
      "missing",
    );
  });

  test("lists versions, the latest first, page by page", async () => {
    await store.bots.publish(publication("Spring", 1));
    await store.bots.publish({ document: shopBot(), yaml: "y", replaces: 2, restoredFrom: 1 });
    const versions = await store.bots.listVersions(await keyOf(), 2);
    expect(versions).toMatchObject([
      { version: 3, origin: "console", restoredFrom: 1 },
      { version: 2, origin: "console" },
    ]);
    expect(await store.bots.listVersions(await keyOf(), 2, 2)).toMatchObject([
      { version: 1, origin: "file" },
    ]);
  });

  test("drops the draft that it was made of, and no other", async () => {
    const key = await keyOf();
    const first = (await store.botDrafts.save(key, { yaml: "draft", baseVersion: 1 }, "none"))!;
    await store.bots.publish(publication("Unnamed", 1));
    expect(await store.botDrafts.find(key)).toEqual(first);
    const second = (await store.botDrafts.save(key, { yaml: "a", baseVersion: 1 }, first.revision))!;
    await store.bots.publish(publication("Of the first", 2, { draft: first.revision }));
    expect(await store.botDrafts.find(key)).toEqual(second);
    await store.bots.publish(publication("Of the second", 3, { draft: second.revision }));
    expect(await store.botDrafts.find(key)).toBeUndefined();
  });

  test("of a text whose comments alone differ is a version of its own, and the older one's editor is told", async () => {
    await store.bots.publish(publication("Spring", 1));
    const model = {
      idOf: new Map([["shop", "m"]]),
      trained: new Map([["m", { model: new Uint8Array([1]) }]]),
      encoder: "e",
    };
    await store.bots.setModels(model, new Map([["shop", 2]]));
    const written = (comment: string) => ({
      document: shopBot({ name: "Spring" }),
      yaml: `${yamlOf("Spring")}# ${comment}\n`,
    });
    expect(await store.bots.publish({ ...written("mine"), replaces: 2 })).toBe("published");
    expect(await store.bots.publish({ ...written("theirs"), replaces: 2 })).toBe("stale");
    expect(await store.bots.find("shop")).toMatchObject({ version: 3, intentModelId: "m" });
    expect((await store.bots.findWritten(await keyOf(), 3))?.yaml).toEndWith("# mine\n");
    expect((await store.changes.list({ limit: 1 }))[0]).toMatchObject({
      kind: "bot.updated",
      fields: [{ field: "version", before: 2, after: 3 }],
    });
  });

  test("is told to whoever follows, also in the process that published", async () => {
    const watch = await store.watchGeneration();
    expect(await watch.poll()).toBe(false);
    await store.bots.publish(publication("Spring", 1));
    expect(await watch.poll()).toBe(true);
    expect(await watch.poll()).toBe(false);
  });
});

describe("seeding over what was published in the console", () => {
  beforeEach(async () => {
    await store.bots.publish({ document: shopBot({ name: "Spring" }), yaml: "name: Spring", replaces: 1 });
  });

  test("changes nothing, and says what it would take back", async () => {
    const refused: unknown = await store.bots.seed([shopBot()], SEED).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ConsoleChangesError);
    expect((refused as ConsoleChangesError).outcomes).toMatchObject([
      { botId: "shop", undoes: { fields: [{ field: "name", before: "Spring", after: "Shop" }] } },
    ]);
    expect(await store.bots.find("shop")).toMatchObject({ version: 2, document: { name: "Spring" } });
  });

  test("is told by a dry run, and done with force", async () => {
    expect(await store.bots.seed([shopBot()], { prune: false, dryRun: true })).toMatchObject([
      { change: "updated", undoes: {} },
    ]);
    await store.bots.seed([shopBot()], { ...SEED, force: true });
    expect(await store.bots.find("shop")).toMatchObject({ version: 3, origin: "file" });
  });

  test("goes through where the file says the same, and the version is the file's from then on", async () => {
    const texts = new Map([["shop", "name: Spring # in the file"]]);
    expect(await seeded(shopBot({ name: "Spring" }), { ...SEED, texts })).toEqual(["unchanged"]);
    const { key } = (await store.bots.find("shop"))!;
    expect(await store.bots.findWritten(key, 3)).toMatchObject({
      origin: "file",
      yaml: "name: Spring # in the file",
    });
    expect((await store.bots.findWritten(key, 2))?.yaml).toBe("name: Spring");
    expect(await seeded(shopBot({ name: "Spring" }), { ...SEED, texts })).toEqual(["unchanged"]);
    expect((await store.bots.find("shop"))?.version).toBe(3);
    expect(await seeded()).toEqual(["updated"]);
  });

  test("prunes no bot that was made there", async () => {
    await store.bots.publish({ document: shopBot({ id: "made-here" }), yaml: "y", replaces: 0 });
    const same = shopBot({ name: "Spring" });
    await expect(store.bots.seed([same], { prune: true, dryRun: false })).rejects.toThrow(
      ConsoleChangesError,
    );
    expect(await store.bots.find("made-here")).toBeDefined();
    await store.bots.seed([same], { prune: true, dryRun: false, force: true });
    expect(await store.bots.find("made-here")).toBeUndefined();
  });
});

describe("a draft", () => {
  const keyOf = async () => (await store.bots.find("shop"))!.key;
  const content = (yaml: string) => ({ yaml, baseVersion: 1 });

  test("is saved by whoever has seen the one before", async () => {
    const key = await keyOf();
    const first = (await store.botDrafts.save(key, content("a"), "none"))!;
    expect(await store.botDrafts.save(key, content("b"), "none")).toBeUndefined();
    const second = (await store.botDrafts.save(key, content("b"), first.revision))!;
    expect(second.revision).toBeGreaterThan(first.revision);
    expect(await store.botDrafts.save(key, content("c"), first.revision)).toBeUndefined();
    expect(await store.botDrafts.find(key)).toEqual(second);
    expect([...(await store.botDrafts.list())]).toEqual([key]);
  });

  test("is deleted by whoever has seen it", async () => {
    const key = await keyOf();
    const { revision } = (await store.botDrafts.save(key, content("a"), "none"))!;
    expect(await store.botDrafts.delete(key, revision - 1)).toBe(false);
    expect(await store.botDrafts.delete(key, revision)).toBe(true);
    expect(await store.botDrafts.find(key)).toBeUndefined();
  });

  test("goes with its bot, and of a bot that is gone none is kept", async () => {
    const key = await keyOf();
    await store.botDrafts.save(key, content("a"), "none");
    await store.bots.delete("shop");
    expect(await store.botDrafts.find(key)).toBeUndefined();
    expect(await store.botDrafts.save(key, content("a"), "none")).toBeUndefined();
  });
});
