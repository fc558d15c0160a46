import { afterAll, beforeAll, expect, test } from "bun:test";

import type { BotDocument } from "../../src/domain/bot.ts";
import { botWith } from "../support/bots.ts";
import { eventually } from "../support/eventually.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const BOTS = 120;

let parley: TestParley;
const lines: Record<string, unknown>[] = [];

/** All have the same intents, so that one training does for all. */
beforeAll(async () => {
  parley = await startParley({
    bots: Array.from({ length: BOTS }, (_, n) => hoursBot(`bot-${n}`, `Bot ${n}`)),
    onLog: (line) => lines.push(line),
  });
  // As a failing disk or a strange program would. It is trained, and the server looks at documents from a second after the start.
  await parley.runSql(
    "UPDATE bot_versions SET document = '{' WHERE bot_key = (SELECT key FROM bots WHERE id = 'bot-7')",
  );
});
afterAll(() => parley[Symbol.asyncDispose]());

function hoursBot(id: string, name: string): BotDocument {
  const intents = [
    { name: "hours", examples: ["when are you open", "opening hours"], responses: ["9 to 5."] },
  ];
  return botWith({ id, name, allowedDomains: ["*"], intents });
}

const configOf = (id: string) => fetch(`${parley.url}/embed-config?botId=${id}`);
const nameOf = async (id: string) => ((await (await configOf(id)).json()) as { botName?: string }).botName;

test("a server with many bots answers for each, and counts them all", async () => {
  expect(await (await fetch(`${parley.url}/readyz`)).json()).toMatchObject({ bots: BOTS });
  expect((await parley.say("when are you open", { botId: "bot-0" })).response).toBe("9 to 5.");
  expect((await parley.say("when are you open", { botId: "bot-119" })).response).toBe("9 to 5.");
});

test("a damaged bot among many is named in the log, with the cure, and concerns no other", async () => {
  const named = () => lines.filter(({ msg }) => String(msg).includes("cannot be read, and answers nobody"));
  await eventually(() => named().length > 0);
  expect(named()).toHaveLength(1);
  expect(named()[0]).toMatchObject({
    botId: "bot-7",
    err: { message: expect.stringContaining("seed the bot again") },
  });
  expect((await configOf("bot-7")).status).toBe(503);
  expect(await nameOf("bot-8")).toBe("Bot 8");
});

test("a change of one bot among many shows soon", async () => {
  expect(await nameOf("bot-50")).toBe("Bot 50");
  await parley.store.bots.seed([hoursBot("bot-50", "Renamed")], {
    prune: false,
    dryRun: false,
  });
  await eventually(async () => (await nameOf("bot-50")) === "Renamed");
  expect(await nameOf("bot-51")).toBe("Bot 51");
});
