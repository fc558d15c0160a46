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

/** Of bots that show one thing. */
const LEAST: Readonly<Record<string, { intents: number; examples: number; tests: number }>> = {
  "city-kiosk": { intents: 6, examples: 8, tests: 5 },
  "acme-orders": { intents: 3, examples: 8, tests: 5 },
};

describe("the sample bots", () => {
  test("have neither mistakes nor warnings", () => {
    expect(problems.map(formatProblem)).toEqual([]);
  });

  test("stand in files named after them", () => {
    expect(bots.map(({ document, source }) => [document.id, source])).toEqual([
      ["acme-orders", join(DATA, "acme-orders.yaml")],
      ["acme-support", join(DATA, "acme-support.yaml")],
      ["city-kiosk", join(DATA, "city-kiosk.yaml")],
      ["riverside-clinic", join(DATA, "riverside-clinic.yaml")],
    ]);
  });

  test.each(documents)("%s has enough intents, examples and tests", (id, bot) => {
    const { intents, examples, tests } = LEAST[id] ?? { intents: 16, examples: 10, tests: 5 };
    expect(bot.intents?.length).toBeGreaterThanOrEqual(intents);
    expect(fewestExamples(bot.intents ?? [])).toBeGreaterThanOrEqual(examples);
    expect(bot.tests?.length).toBeGreaterThanOrEqual(tests);
  });
});
