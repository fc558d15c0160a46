import { beforeEach, describe, expect, test } from "bun:test";

import { BotInspection } from "../../../src/bots/bot-inspection.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { ServiceError } from "../../../src/domain/errors.ts";
import type { BotId } from "../../../src/domain/ids.ts";
import type { BotHead, BotKey, SizedDocument } from "../../../src/store/interface/bots.ts";
import { UnusableDatabaseError } from "../../../src/store/unusable-database.ts";
import { botWith } from "../../support/bots.ts";
import { eventually } from "../../support/eventually.ts";

const MANY = 300;

/** Ids of documents that were read, in order. */
let read: string[];
let logged: { level: "warn" | "error"; botId: unknown; text: string }[];
let isStorageGone: boolean;
beforeEach(() => {
  read = [];
  logged = [];
  isStorageGone = false;
});

const headOf = (id: string): BotHead => ({
  id: id as BotId,
  key: 1 as BotKey,
  version: 1,
  intentModelId: "model",
  limits: {},
});
const heads = (count: number) => Array.from({ length: count }, (_, bot) => headOf(`bot-${bot}`));

async function findBotDocument({ id }: Pick<BotHead, "id">): Promise<SizedDocument> {
  read.push(id);
  if (isStorageGone) throw new ServiceError("STORAGE_UNAVAILABLE", "gone");
  if (id.startsWith("damaged")) throw new UnusableDatabaseError(`the document of ${id} is damaged`);
  const responder: BotDocument["responder"] = { kind: "model", models: ["nobody"] };
  return {
    document: botWith({
      id,
      ...(id.startsWith("asking") && { responder }),
      ...(id.startsWith("telling") && { handoff: { webhook: id.endsWith("-crm") ? "crm" : "crmm" } }),
    }),
    characters: 1,
  };
}

function logAt(level: "warn" | "error") {
  return (fields: object, text?: string) =>
    void logged.push({ level, botId: (fields as { botId?: unknown }).botId, text: text ?? "" });
}

function openInspection() {
  const log = { warn: logAt("warn"), error: logAt("error") };
  return new BotInspection({
    store: { findBotDocument },
    models: { find: () => undefined },
    webhooks: { crm: {} },
    log,
    beginAfterMs: 0,
  });
}

describe("bots that are served", () => {
  test("are looked at once for each version, and what is wrong is logged", async () => {
    const inspection = openInspection();
    const bots = [headOf("asking"), headOf("sound")];
    await inspection.follow(bots);
    await inspection.follow(bots);
    expect(read).toEqual(["asking", "sound"]);
    expect(logged).toEqual([
      { level: "warn", botId: "asking", text: "bot names model servers that are not configured" },
    ]);
    await inspection.follow([bots[0]!, headOf("sound")]);
    expect(read).toEqual(["asking", "sound", "sound"]);
  });

  test("that name a webhook which is not configured are named, and no others", async () => {
    await openInspection().follow([headOf("telling-crm"), headOf("telling")]);
    expect(logged).toEqual([
      { level: "warn", botId: "telling", text: "bot names a webhook that is not configured" },
    ]);
  });

  test("stop no start where they are few and one is damaged: it is named, once", async () => {
    const inspection = openInspection();
    const bots = [headOf("sound"), headOf("damaged"), headOf("asking")];
    await inspection.follow(bots);
    await inspection.follow(bots);
    expect(read).toEqual(["sound", "damaged", "asking"]);
    expect(logged.map(({ level, botId }) => `${level} ${String(botId)}`)).toEqual([
      "error damaged",
      "warn asking",
    ]);
  });

  test("are looked at again where storage could not be read", async () => {
    const inspection = openInspection();
    isStorageGone = true;
    await expect(inspection.follow([headOf("sound")])).rejects.toBeInstanceOf(ServiceError);
    isStorageGone = false;
    const bots = [headOf("sound"), headOf("damaged")];
    await inspection.follow(bots);
    expect([read, logged.length]).toEqual([["sound", "sound", "damaged"], 1]);
  });

  test("are looked at behind where they are many, and the damaged ones are named", async () => {
    const inspection = openInspection();
    const bots = [headOf("damaged"), ...heads(MANY), headOf("asking")];
    await inspection.follow(bots);
    expect(read).toEqual([]);
    await eventually(() => read.length === bots.length);
    expect(logged.map(({ level, botId }) => `${level} ${String(botId)}`)).toEqual([
      "error damaged",
      "warn asking",
    ]);
    await inspection.follow(bots);
    await Bun.sleep(30);
    expect(read).toHaveLength(bots.length);
  });

  test("are left alone where storage cannot be read, until the next change", async () => {
    const inspection = openInspection();
    const bots = heads(MANY);
    isStorageGone = true;
    await inspection.follow(bots);
    await eventually(() => read.length > 0);
    await Bun.sleep(30);
    expect([read.length, logged.length]).toEqual([1, 0]);
    isStorageGone = false;
    await inspection.follow(bots);
    await eventually(() => read.length === 1 + MANY);
  });

  test("are looked at no more once the server stops", async () => {
    const inspection = openInspection();
    await inspection.follow(heads(MANY));
    inspection.stop();
    await Bun.sleep(50);
    expect(read).toEqual([]);
  });
});
