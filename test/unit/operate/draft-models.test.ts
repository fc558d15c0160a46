import { expect, test } from "bun:test";

import { intentModelIdOf } from "../../../src/bots/training.ts";
import { DraftModels } from "../../../src/operate/draft-bots.ts";
import { shopBot } from "../../support/bots.ts";

const STORED = shopBot();
const MODEL = new Uint8Array([1]);
const draftOf = (example: string) =>
  shopBot({ intents: [{ name: "orders.status", examples: [example], responses: ["Yes."] }] });

const openModels = () =>
  new DraftModels({
    hasIntentModel: async (id) => id === intentModelIdOf(STORED),
    findIntentModel: async () => MODEL,
    findSentenceModel: async () => new Uint8Array(),
  });

test("drafts are trained one after another, and a draft once, however many ask for it", async () => {
  const models = openModels();
  const begun: string[] = [];
  const find = (example: string) => models.find(draftOf(example), () => begun.push(example));
  const [one, again] = await Promise.all([find("parcel"), find("parcel"), find("invoice")]);
  expect(again).toBe(one);
  expect(begun.lastIndexOf("parcel")).toBeLessThan(begun.indexOf("invoice"));
});

test("a model that is stored, or was found before, waits for no training", async () => {
  const models = openModels();
  const training = models.find(draftOf("parcel"));
  const first = await Promise.race([training, models.find(STORED)]);
  expect(first.model).toBe(MODEL);
  const again = await Promise.race([training, models.find(STORED)]);
  expect(again).toBe(first);
  await training;
});
