import { beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { BotRegistry } from "../../../src/bots/registry.ts";
import { intentModelIdOf } from "../../../src/bots/training.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { ENCODER_VERSION } from "../../../src/intent/classifier.ts";
import { trainIntentModel } from "../../../src/intent/training/train.ts";
import type { BotHead, TrainedModel } from "../../../src/store/interface/bots.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { botWith, type WrittenFields } from "../../support/bots.ts";

const INTENTS = [{ name: "hours", examples: ["when are you open", "opening hours"], responses: ["9 to 5."] }];

let model: TrainedModel;
beforeAll(() => void (model = trainIntentModel(named("a").intents!)));

let store: SqliteStore;
/** Documents and models that were read, in order. */
let read: string[];
beforeEach(() => {
  store = new SqliteStore({ dataDir: ":memory:", now: Date.now, busyTimeoutMs: 0 });
  read = [];
});

function named(id: string, fields: WrittenFields = {}): BotDocument {
  return botWith({ id, allowedDomains: ["*"], intents: INTENTS, ...fields });
}

/** Seeds bots with their trained model, as `parley seed` does. */
async function seed(...documents: BotDocument[]): Promise<void> {
  const idOf = new Map(documents.map((document) => [document.id as string, intentModelIdOf(document)]));
  const trained = new Map([...idOf.values()].map((id) => [id, model]));
  await store.bots.seed(
    documents,
    { prune: false, dryRun: false },
    { idOf, trained, encoder: ENCODER_VERSION },
  );
}

type Options = ConstructorParameters<typeof BotRegistry>[1];

function watchedStore(): ConstructorParameters<typeof BotRegistry>[0] {
  return {
    bots: store.bots,
    knowledge: store.knowledge,
    findBotDocument(head) {
      read.push(`${head.id}@${head.version}`);
      return store.findBotDocument(head);
    },
    findIntentModel(id) {
      read.push("model");
      return store.findIntentModel(id);
    },
    findSentenceModel: (...of) => store.findSentenceModel(...of),
  };
}

async function openRegistry(options?: Options, watched = watchedStore()): Promise<BotRegistry> {
  const bots = new BotRegistry(watched, options);
  await bots.reload();
  return bots;
}

describe("the bots of a server", () => {
  test("are known at the start without a document being read", async () => {
    await seed(...["a", "b", "c"].map((id) => named(id, { rateLimit: { capacity: 3, perMinute: 6 } })));
    const bots = await openRegistry();
    expect(bots.size).toBe(3);
    expect(bots.headOf("b")?.limits).toEqual({ rateLimit: { capacity: 3, perMinute: 6 } });
    expect([bots.headOf("d"), bots.find("d")]).toEqual([undefined, undefined]);
    expect(read).toEqual([]);
  });

  test("are opened when they are asked for, and share what they classify with", async () => {
    await seed(named("a"), named("b"));
    const bots = await openRegistry();
    const a = await bots.find("a");
    expect(a?.document.id as string).toBe("a");
    expect(read).toEqual(["a@1", "model"]);
    expect((await bots.find("b"))!.classifier).toBe(a!.classifier);
    expect(read).toEqual(["a@1", "model", "b@1"]);
  });

  test("that are open are there at once", async () => {
    await seed(named("a"));
    const bots = await openRegistry();
    const a = await bots.find("a");
    expect(bots.find("a")).toBe(a);
  });

  test("are opened once for all who ask at the same time", async () => {
    await seed(named("a"), named("b"));
    const bots = await openRegistry();
    const [a, again, b] = await Promise.all([bots.find("a"), bots.find("a"), bots.find("b")]);
    expect(a).toBeDefined();
    expect(again).toBe(a);
    expect(b!.classifier).toBe(a!.classifier);
    expect(read.toSorted()).toEqual(["a@1", "b@1", "model"]);
  });

  test("whose opening fails are opened by the next who asks", async () => {
    await seed(named("a"));
    const watched = watchedStore();
    const { findIntentModel } = watched;
    watched.findIntentModel = () => Promise.reject(new Error("the disk is busy"));
    const bots = await openRegistry({}, watched);
    const asked = await Promise.allSettled([bots.find("a"), bots.find("a")]);
    expect(asked.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    watched.findIntentModel = findIntentModel;
    expect(await bots.find("a")).toBeDefined();
    expect(read).toEqual(["a@1", "a@1", "model"]);
  });

  test("stay open through a change of others, and only what changed is read", async () => {
    await seed(named("a"), named("b"));
    const bots = await openRegistry();
    const [a, b] = [await bots.find("a"), await bots.find("b")];
    await seed(named("b", { name: "Renamed" }));
    expect(await bots.reload()).toEqual([]);
    expect(bots.find("a")).toBe(a);
    expect(await bots.find("b")).not.toBe(b);
    expect(bots.find("b")).toMatchObject({ version: 2, document: { name: "Renamed" } });
    expect(read).toEqual(["a@1", "model", "b@1", "b@2"]);
  });

  test("that change while they are opened are not kept as they were", async () => {
    await seed(named("a"));
    const bots = await openRegistry();
    const opening = bots.find("a");
    await seed(named("a", { name: "Renamed" }));
    await bots.reload();
    expect(await opening).toMatchObject({ version: 1 });
    expect(await bots.find("a")).toMatchObject({ version: 2 });
    expect(bots.openBots).toBe(1);
  });

  test("answer with the version before, opened or not, until a new one is trained", async () => {
    await seed(named("a"), named("b"));
    const bots = await openRegistry();
    await store.bots.seed([named("a", { name: "New" })], { prune: false, dryRun: false });
    expect((await bots.reload()).map(({ id, version }) => `${id}@${version}`)).toEqual(["a@2"]);
    expect(await bots.find("a")).toMatchObject({ version: 1 });
    expect((await bots.find("a"))!.document.name).not.toBe("New");
  });

  test("are those of the reload that began last, whichever is slower", async () => {
    await seed(named("a"));
    const slow = Promise.withResolvers<BotHead[]>();
    const watched = watchedStore();
    const bots = await openRegistry({}, watched);
    const before = await store.bots.listEnabled();
    watched.bots = { listEnabled: () => slow.promise };
    const earlier = bots.reload();
    await seed(named("b"));
    watched.bots = store.bots;
    await bots.reload();
    slow.resolve(before);
    await earlier;
    expect([...bots.heads()].map(({ id }) => id as string)).toEqual(["a", "b"]);
  });

  test("give back their memory for others, and come back when they are asked for", async () => {
    const ids = Array.from({ length: 50 }, (_, bot) => `bot-${bot}`);
    await seed(...ids.map((id) => named(id)));
    const bots = await openRegistry({ mostBytes: 200_000 });
    for (const id of ids) expect((await bots.find(id))!.document.id as string).toBe(id);
    expect(bots.openBots).toBeLessThan(15);
    expect(bots.size).toBe(50);
    const { classifier } = (await bots.find("bot-0"))!;
    expect(classifier.classify("when are you open").scores[0]?.intent as string).toBe("hours");
    expect(read.filter((what) => what === "bot-0@1")).toHaveLength(2);
    expect(read.filter((what) => what === "model")).toHaveLength(1);
  });

  test("are closed with what they classify with, and a message that has begun goes on", async () => {
    const other = [{ name: "hours", examples: ["business hours"], responses: ["9 to 5."] }];
    await seed(named("a"), named("b"), named("other", { intents: other }));
    const bots = await openRegistry({ mostClassifierBytes: 1 });
    const a = (await bots.find("a"))!;
    await bots.find("b");
    await bots.find("other");
    expect(bots.openBots).toBe(1);
    expect(a.classifier.classify("when are you open").scores[0]?.intent as string).toBe("hours");
    expect(await bots.find("a")).not.toBe(a);
  });

  test("keep what they classify with as long as one of them is talked to", async () => {
    const others = ["c", "d", "e"].map((id) =>
      named(id, { intents: [{ name: "hours", examples: [`hours ${id}`], responses: ["9 to 5."] }] }),
    );
    await seed(named("a"), ...others);
    const bots = await openRegistry({ mostClassifierBytes: 2.5 * (10_000 + 2 * model.model.byteLength) });
    const a = await bots.find("a");
    for (const { id } of others) {
      await bots.find(id);
      expect(bots.find("a")).toBe(a);
    }
    expect(bots.openBots).toBe(2);
  });

  test("that are disabled or deleted are not found, nor are their documents kept", async () => {
    await seed(named("a"), named("b"), named("c"));
    const bots = await openRegistry();
    for (const id of ["a", "b", "c"]) await bots.find(id);
    await store.bots.setEnabled("a", false);
    await store.bots.delete("b");
    // Until the server looks, the one that is open answers.
    expect(bots.find("b")).toBeDefined();
    await bots.reload();
    expect([bots.find("a"), bots.find("b"), bots.size, bots.openBots]).toEqual([undefined, undefined, 1, 1]);
  });

  test("that were deleted before this server noticed, and are not open, are not found", async () => {
    await seed(named("a"));
    const bots = await openRegistry();
    await store.bots.delete("a");
    expect(await bots.find("a")).toBeUndefined();
    expect(await bots.readDocument(bots.headOf("a")!)).toBeUndefined();
  });

  test("are shown without being opened", async () => {
    await seed(named("a"));
    const bots = await openRegistry();
    expect((await bots.readDocument(bots.headOf("a")!))?.id as string).toBe("a");
    expect([read, bots.openBots]).toEqual([["a@1"], 0]);
  });
});
