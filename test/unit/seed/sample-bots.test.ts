import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import { BOT_RULES } from "../../../src/bots/rules.ts";
import type { BotDocument, BotIntent } from "../../../src/domain/bot.ts";
import { parseBotFiles } from "../../../src/seed/bot-file.ts";
import { readBotSources } from "../../../src/seed/bot-sources.ts";
import { formatProblem } from "../../../src/seed/problem.ts";

const DATA = join(import.meta.dir, "../../../data");
const { sources } = await readBotSources([DATA], () => Promise.reject(new Error("stdin was read")));
const { bots, problems } = parseBotFiles(sources, BOT_RULES);
const documents = bots.map(({ document }): [string, BotDocument] => [document.id, document]);

const fewestExamples = (intents: readonly BotIntent[]): number =>
  Math.min(...intents.map((intent) => intent.examples?.length ?? 0));

describe("the sample bots", () => {
  test("have neither mistakes nor warnings", () => {
    expect(problems.map(formatProblem)).toEqual([]);
  });

  test("stand in files named after them", () => {
    expect(bots.map(({ document, source }) => [document.id, source])).toEqual([
      ["acme-support", join(DATA, "acme-support.yaml")],
      ["city-kiosk", join(DATA, "city-kiosk.yaml")],
      ["riverside-clinic", join(DATA, "riverside-clinic.yaml")],
    ]);
  });

  test.each(documents)("%s has enough intents, examples and tests", (id, bot) => {
    const isKiosk = id === "city-kiosk";
    expect(bot.intents?.length).toBeGreaterThanOrEqual(isKiosk ? 6 : 16);
    expect(fewestExamples(bot.intents ?? [])).toBeGreaterThanOrEqual(isKiosk ? 8 : 10);
    expect(bot.tests?.length).toBeGreaterThanOrEqual(5);
  });
});
