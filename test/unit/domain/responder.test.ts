import { describe, expect, test } from "bun:test";

import { modelServersOf } from "../../../src/domain/responder.ts";
import { shopBot } from "../../support/bots.ts";

describe("the model servers of a bot", () => {
  test("are none where it answers by script", () => {
    expect([...modelServersOf(shopBot())]).toEqual([]);
    expect([...modelServersOf(shopBot({ responder: { kind: "scripted", else: "model" } }))]).toEqual([]);
  });

  test("are those of its responders, its intents', its embeddings and its judge, each once", () => {
    const bot = shopBot({
      responder: { kind: "scripted", else: { kind: "model", models: ["a", "b"] } },
      intents: [{ name: "x", responder: { kind: "model", models: ["b", "c"] } }],
      classifier: { embeddings: { model: "d" }, judge: { model: "a" } },
    });
    expect([...modelServersOf(bot)].toSorted()).toEqual(["a", "b", "c", "d"]);
  });
});
