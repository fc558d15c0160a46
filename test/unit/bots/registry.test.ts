import { beforeAll, beforeEach, describe, expect, test } from "bun:test";

import { BotRegistry } from "../../../src/bots/registry.ts";
import { intentModelIdOf } from "../../../src/bots/training.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { trainIntentModel } from "../../../src/intent/training/train.ts";
import type { TrainedModel } from "../../../src/store/intent-models.ts";
import { Store } from "../../../src/store/store.ts";
import { botWith, type WrittenFields } from "../../support/bots.ts";

const INTENTS = [{ name: "hours", examples: ["when are you open", "opening hours"], responses: ["9 to 5."] }];

let model: TrainedModel;
beforeAll(() => void (model = trainIntentModel(named("a").intents!)));

let store: Store;
/** Documents and models that were read, in order. */
let read: string[];
beforeEach(() => {
  store = new Store({ dataDir: ":memory:", now: Date.now, busyTimeoutMs: 0 });
  read = [];
});

function named(id: string, fields: WrittenFields = {}): BotDocument {
  return botWith({ id, allowedDomains: ["*"], intents: INTENTS, ...fields });
}

/** Seeds bots with their trained model, as `parley seed` does. */
function seed(...documents: BotDocument[]): void {
  const idOf = new Map(documents.map((document) => [document.id as string, intentModelIdOf(document)]));
  const trained = new Map([...idOf.values()].map((id) => [id, model]));
  store.bots.seed(documents, { prune: false, dryRun: false }, { idOf, trained });
}

function openRegistry(mostBytes?: number): BotRegistry {
  const watched: ConstructorParameters<typeof BotRegistry>[0] = {
    bots: store.bots,
    findBotDocument(head) {
      read.push(`${head.id}@${head.version}`);
      return store.findBotDocument(head);
    },
    findIntentModel(id) {
      read.push("model");
      return store.findIntentModel(id);
    },
    findSentenceModel: (id) => store.findSentenceModel(id),
  };
  const bots = new BotRegistry(watched, mostBytes);
  bots.reload();
  return bots;
}

describe("the bots of a server", () => {
  test("are known at the start without a document being read", () => {
    seed(...["a", "b", "c"].map((id) => named(id, { rateLimit: { capacity: 3, perMinute: 6 } })));
    const bots = openRegistry();
    expect(bots.size).toBe(3);
    expect(bots.limitsOf("b")).toEqual({ rateLimit: { capacity: 3, perMinute: 6 } });
    expect([bots.limitsOf("d"), bots.find("d")]).toEqual([undefined, undefined]);
    expect(read).toEqual([]);
  });

  test("are opened when they are first asked for, and share what they classify with", () => {
    seed(named("a"), named("b"));
    const bots = openRegistry();
    expect(bots.find("a")?.document.id as string).toBe("a");
    expect(bots.find("a")).toBe(bots.find("a"));
    expect(read).toEqual(["a@1"]);
    expect(bots.find("b")!.classifier).toBe(bots.find("a")!.classifier);
    expect(read).toEqual(["a@1", "b@1", "model"]);
  });

  test("stay open through a change of others, and only what changed is read", () => {
    seed(named("a"), named("b"));
    const bots = openRegistry();
    const [a, b] = [bots.find("a"), bots.find("b")];
    seed(named("b", { name: "Renamed" }));
    expect(bots.reload()).toEqual([]);
    expect(bots.find("a")).toBe(a);
    expect(bots.find("b")).not.toBe(b);
    expect(bots.find("b")).toMatchObject({ version: 2, document: { name: "Renamed" } });
    expect(read).toEqual(["a@1", "b@1", "b@2"]);
  });

  test("answer with the version before, opened or not, until a new one is trained", () => {
    seed(named("a"), named("b"));
    const bots = openRegistry();
    store.bots.seed([named("a", { name: "New" })], { prune: false, dryRun: false });
    expect(bots.reload().map(({ id, version }) => `${id}@${version}`)).toEqual(["a@2"]);
    expect(bots.find("a")).toMatchObject({ version: 1 });
    expect(bots.find("a")!.document.name).not.toBe("New");
  });

  test("give back their memory for others, and come back when they are asked for", () => {
    const ids = Array.from({ length: 50 }, (_, bot) => `bot-${bot}`);
    seed(...ids.map((id) => named(id)));
    const bots = openRegistry(200_000);
    for (const id of ids) expect(bots.find(id)!.document.id as string).toBe(id);
    expect(bots.openBots).toBeLessThan(15);
    expect(bots.size).toBe(50);
    expect(bots.find("bot-0")?.classifier.classify("when are you open").scores[0]?.intent as string).toBe(
      "hours",
    );
    expect(read.filter((what) => what === "bot-0@1")).toHaveLength(2);
    expect(read.filter((what) => what === "model")).toHaveLength(1);
  });

  test("that are disabled or deleted are not found, nor are their documents kept", () => {
    seed(named("a"), named("b"), named("c"));
    const bots = openRegistry();
    for (const id of ["a", "b", "c"]) bots.find(id);
    store.bots.setEnabled("a", false);
    store.bots.delete("b");
    // Until the server looks, the one that is open answers.
    expect(bots.find("b")).toBeDefined();
    bots.reload();
    expect([bots.find("a"), bots.find("b"), bots.size, bots.openBots]).toEqual([undefined, undefined, 1, 1]);
  });

  test("that were deleted before this server noticed, and are not open, are not found", () => {
    seed(named("a"));
    const bots = openRegistry();
    store.bots.delete("a");
    expect(bots.find("a")).toBeUndefined();
  });
});
