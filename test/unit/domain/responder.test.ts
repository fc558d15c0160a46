import { describe, expect, test } from "bun:test";

import type { BotDocument, ModelResponder } from "../../../src/domain/bot.ts";
import { responderFor } from "../../../src/domain/responder.ts";

function bot(fields: Partial<BotDocument>): BotDocument {
  const intents = [{ name: "told", responses: ["Yes."] }, { name: "open" }];
  return { id: "b", name: "B", allowedDomains: [], intents, ...fields };
}

const own: ModelResponder = { kind: "model", models: ["large"] };

describe("who answers", () => {
  test("is the script where nothing else is said", () => {
    expect(responderFor(bot({}), "open")).toEqual({ kind: "scripted" });
  });

  test("is the bot's model, also where there are responses", () => {
    expect(responderFor(bot({ responder: own }), "told")).toEqual(own);
  });

  test("is the script where there are responses, else the model", () => {
    const hybrid = bot({ responder: { kind: "scripted", else: own } });
    expect(responderFor(hybrid, "told")).toEqual({ kind: "scripted" });
    expect(responderFor(hybrid, "open")).toEqual(own);
  });

  test("is any configured model where `else: model` names none", () => {
    expect(responderFor(bot({ responder: { kind: "scripted", else: "model" } }), "open")).toEqual({
      kind: "model",
    });
  });

  test("is the intent's own choice before the bot's", () => {
    const intents = [
      { name: "a", responder: own },
      { name: "b", responder: { kind: "scripted", else: "model" } as const },
    ];
    const mixed = bot({ intents, responder: { kind: "model", models: ["small"] } });
    expect(responderFor(mixed, "a")).toEqual(own);
    expect(responderFor(mixed, "b")).toEqual({ kind: "model", models: ["small"] });
  });
});
