import { beforeAll, describe, expect, test } from "bun:test";

import { LoadedBot } from "../../../../src/bots/loaded-bot.ts";
import type { Message } from "../../../../src/chat/message.ts";
import { understandMessage } from "../../../../src/chat/turn/use-encoder.ts";
import type { RequestId } from "../../../../src/domain/ids.ts";
import { judgeMessage } from "../../../../src/governance/judge-message.ts";
import {
  EncoderBusyError,
  type EncoderInput,
  openSentenceModel,
  openIntentModel,
} from "../../../../src/intent/classifier.ts";
import { SqliteStore } from "../../../../src/store/sqlite/sqlite-store.ts";
import { shopBot } from "../../../support/bots.ts";
import { trainHere, vectorOf } from "../../../support/encode-here.ts";

const SURE = "where is my order";
const UNSURE = "have the goods been dispatched";
let bot: LoadedBot;

beforeAll(async () => {
  const store = new SqliteStore({ dataDir: ":memory:", now: Date.now, busyTimeoutMs: 0 });
  await store.bots.seed([shopBot()], { prune: false, dryRun: false });
  const { model, sentences } = trainHere(shopBot().intents ?? []);
  bot = new LoadedBot((await store.bots.find("shop"))!, {
    classifier: openIntentModel(model),
    findSentences: async () => openSentenceModel(sentences!),
  });
});

/** Understands a message with an encoder that does this. */
async function understand(input: string, encode: (input: EncoderInput) => Promise<Float32Array | undefined>) {
  const warnings: object[] = [];
  const log = { warn: (fields: object) => void warnings.push(fields) };
  const message: Message = { bot, input, requestId: "rq_1" as RequestId };
  const judged = judgeMessage(input, bot.classifier, bot.policy);
  const understood = await understandMessage({ encoder: { encode }, log }, message, judged);
  return { judged, understood, warnings };
}

describe("understanding a message", () => {
  test("weighs what it means, and says so", async () => {
    const { judged, understood } = await understand(UNSURE, async ({ text }) => vectorOf(text));
    expect(understood.understanding).toBe("used");
    expect(understood.judged.plain.classification.inScope).toBeGreaterThan(
      judged.plain.classification.inScope,
    );
  });

  test("never asks the encoder about what is sure", async () => {
    const encoded: string[] = [];
    const encode = async ({ text }: EncoderInput) => {
      encoded.push(text);
      return vectorOf(text);
    };
    const { judged, understood } = await understand(SURE, encode);
    expect(understood).toEqual({ judged });
    expect(encoded).toEqual([]);
    await understand(UNSURE, encode);
    expect(encoded).toHaveLength(1);
  });

  test("goes on without an encoder that fails, warns, and says so", async () => {
    const failure = new Error("out of memory");
    const { judged, understood, warnings } = await understand(UNSURE, () => Promise.reject(failure));
    expect(understood).toEqual({ judged, understanding: "unavailable" });
    expect(warnings).toEqual([{ requestId: "rq_1", err: failure }]);
  });

  test("goes on without where too many texts wait, says so, and floods no log", async () => {
    const busy = () => Promise.reject(new EncoderBusyError("messages"));
    const { judged, understood, warnings } = await understand(UNSURE, busy);
    expect(understood).toEqual({ judged, understanding: "overloaded" });
    expect(warnings).toEqual([]);
  });

  test("leaves a message as it is where the machine cannot encode", async () => {
    const { judged, understood, warnings } = await understand(UNSURE, async () => undefined);
    expect(understood).toEqual({ judged });
    expect(warnings).toEqual([]);
  });
});
