import { beforeEach, describe, expect, test } from "bun:test";

import { SentenceModels } from "../../../src/bots/sentence-models.ts";
import { shopBot } from "../../support/bots.ts";
import { trainHere } from "../../support/encode-here.ts";

const { sentences } = trainHere(shopBot().intents ?? []);
const SIZE = sentences!.byteLength;
/** Ids that the store was asked for, in order. */
let asked: string[];
const store = {
  async findSentenceModel(id: string): Promise<Uint8Array | undefined> {
    asked.push(id);
    if (id.startsWith("silent")) return new Uint8Array();
    return id.startsWith("unread") ? undefined : sentences;
  },
};
beforeEach(() => void (asked = []));

describe("sentence models", () => {
  test("are read once, when they are first asked for", async () => {
    const models = new SentenceModels(store);
    expect(asked).toEqual([]);
    const first = await models.find("a");
    expect(first).toMatchObject({ intentCount: 3 });
    expect(await models.find("a")).toBe(first);
    expect(asked).toEqual(["a"]);
  });

  test("that were used longest ago go where there is no room, and come back when they are asked for", async () => {
    const models = new SentenceModels(store, 2.5 * SIZE);
    for (const id of ["a", "b", "a", "c"]) await models.find(id);
    expect(asked).toEqual(["a", "b", "c"]);
    await models.find("a");
    expect(asked).toEqual(["a", "b", "c"]);
    await models.find("b");
    expect(asked).toEqual(["a", "b", "c", "b"]);
  });

  test("of a thousand bots take no more than there is room for", async () => {
    const models = new SentenceModels(store, 10 * SIZE);
    for (let bot = 0; bot < 1000; bot++) {
      await models.find(`bot-${bot}`);
      expect(models.bytes).toBeLessThanOrEqual(10 * SIZE);
    }
  });

  test("that are larger than all the room are kept alone", async () => {
    const models = new SentenceModels(store, SIZE / 2);
    await models.find("a");
    await models.find("b");
    await models.find("b");
    expect(asked).toEqual(["a", "b"]);
  });

  test("that there is nothing to encode for are not looked for again", async () => {
    const models = new SentenceModels(store);
    expect([await models.find("silent"), await models.find("silent")]).toEqual([undefined, undefined]);
    expect(asked).toEqual(["silent"]);
  });

  test("that the encoder has yet to make are looked for again", async () => {
    const models = new SentenceModels(store);
    expect([await models.find("unread"), await models.find("unread")]).toEqual(["not_ready", "not_ready"]);
    expect(asked).toEqual(["unread", "unread"]);
  });
});
