/**
 * `npm run bench:realistic`: talks to bots of a dozen intents with four to seven careless examples each, as visitors would, and
 * prints the results. The authors of the messages did not see the examples. `--tuning` prints only the bots for tuning, `--misses`
 * each message that was not served, `--review` the review of `parley seed` of each bot beside its visitors' results (the
 * bounds stand in `src/operate/verdict.ts`), `--bots FOLDER` measures other bots (`<id>.yaml` beside `<id>.jsonl`) instead.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

import { BOT_RULES } from "../../../src/bots/rules.ts";
import { getIntentModel } from "../../../src/bots/training.ts";
import { loadConfig } from "../../../src/config/config.ts";
import type { BotDocument } from "../../../src/domain/bot.ts";
import { EncoderThread } from "../../../src/intent/classifier.ts";
import { openRehearsal } from "../../../src/runtime/open-rehearsal.ts";
import { parseBotFiles } from "../../../src/seed/bot-file.ts";
import { SqliteStore } from "../../../src/store/sqlite/sqlite-store.ts";
import { FIGURES, shareOf } from "./figures.ts";
import { type MeasuredMessage, measureMessages } from "./measure.ts";
import { readBotsOf, readRealisticBots, type RealisticBot } from "./messages.ts";
import { printReviews } from "./review.ts";

interface MeasuredBot extends Pick<RealisticBot, "id" | "part"> {
  document: BotDocument;
  language: string;
  measured: readonly MeasuredMessage[];
  trainMs: number;
}

const OUTLINES = readFileSync(`${import.meta.dir}/bots/outlines.md`, "utf8");
/** Bots that are not of this repository have no outline. */
const LANGUAGE_OF_SHARED: Record<string, string> = { taskloom: "en", zahnarzt: "de" };

const SERVED = new Set(["right", "asked-right"]);
const TO_BE_REFUSED = new Set(["near", "far"]);

const { values: options } = parseArgs({
  options: {
    tuning: { type: "boolean" },
    misses: { type: "boolean" },
    review: { type: "boolean" },
    bots: { type: "string" },
  },
});
const chosen = (options.bots === undefined ? readRealisticBots() : readBotsOf(options.bots)).filter(
  ({ part }) => part === "tuning" || !options.tuning,
);
const config = loadConfig({ flags: {}, env: {}, readFile: () => "" });

/** Shared by all bots, as in a server. */
using encoder = new EncoderThread();
await encoder.encode({ form: "message", text: "hello" });
const bots: MeasuredBot[] = [];
for (const bot of chosen) {
  bots.push(await measureBot(bot));
  process.stderr.write(`\r${bots.length} of ${chosen.length} bots`);
}
process.stderr.write("\n");
printTable(bots);
if (options.misses) bots.forEach(printMisses);
if (options.review) await printReviews(bots);

async function measureBot({ id, part, file, messages }: RealisticBot): Promise<MeasuredBot> {
  const document = readBot(file);
  await using store = new SqliteStore({ dataDir: ":memory:", now: Date.now, busyTimeoutMs: 0 });
  const startedAt = performance.now();
  const model = await getIntentModel(store, document);
  const trainMs = performance.now() - startedAt;
  await using talk = await openRehearsal(config, document, model, { encoder });
  return {
    id,
    part,
    document,
    language: languageOf(id),
    measured: await measureMessages(talk, document, messages),
    trainMs,
  };
}

function readBot(file: string): BotDocument {
  const { bots: parsed, problems } = parseBotFiles(
    [{ name: basename(file), text: readFileSync(file, "utf8") }],
    BOT_RULES,
  );
  if (parsed.length !== 1) throw new Error(`${file}: ${JSON.stringify(problems)}`);
  return parsed[0]!.document;
}

function languageOf(id: string): string {
  return LANGUAGE_OF_SHARED[id] ?? new RegExp(`^## ${id} \\((..),`, "m").exec(OUTLINES)?.[1] ?? "other";
}

function printTable(measured: readonly MeasuredBot[]): void {
  printRow(
    "",
    FIGURES.map(({ title }) => title),
  );
  printRow(
    "goal",
    FIGURES.map(({ goal }) => goal),
  );
  for (const bot of measured) printRow(`${bot.part} ${bot.id}`, percentagesOf([bot]));
  for (const part of ["tuning", "test"] as const) {
    const all = measured.filter((bot) => bot.part === part);
    if (all.length === 0) continue;
    const english = all.filter(({ language }) => language === "en");
    printRow(`${part}, mean of bots`, percentagesOf(all));
    printRow(`${part}, English`, percentagesOf(english));
    printRow(`${part}, other languages`, percentagesOf(all.filter((bot) => !english.includes(bot))));
  }
  printTimes(measured);
}

/** Means over bots, with equal weights. */
function percentagesOf(measured: readonly MeasuredBot[]): string[] {
  return FIGURES.map((figure) => {
    const shares = measured.flatMap((bot) => shareOf(figure, bot.measured) ?? []);
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    return shares.length === 0 ? "–" : (100 * mean).toFixed(0);
  });
}

function printRow(title: string, cells: readonly string[]): void {
  console.log(title.padEnd(28) + cells.map((cell) => cell.padStart(17)).join(""));
}

function printTimes(measured: readonly MeasuredBot[]): void {
  const times = measured
    .flatMap((bot) => bot.measured.map(({ judgedMs }) => judgedMs))
    .toSorted((a, b) => a - b);
  const mean = times.reduce((sum, ms) => sum + ms, 0) / times.length;
  const at = (share: number) => times[Math.floor(share * (times.length - 1))]!.toFixed(2);
  console.log(`\nms from text to decision: mean ${mean.toFixed(2)}, p50 ${at(0.5)}, p99 ${at(0.99)}`);
  const trainMs = measured.reduce((sum, bot) => sum + bot.trainMs, 0) / measured.length;
  console.log(`ms to train a bot: mean ${trainMs.toFixed(0)}`);
}

function printMisses({ id, measured }: MeasuredBot): void {
  console.log(`\n${id}`);
  for (const { message, outcome, got } of measured) {
    const isFine = TO_BE_REFUSED.has(message.kind)
      ? outcome === "not-understood"
      : message.kind === "denied"
        ? outcome === "denied"
        : SERVED.has(outcome);
    if (isFine) continue;
    const wanted = "intent" in message ? message.intent : "";
    console.log(
      `  ${message.kind.padEnd(9)} ${outcome.padEnd(14)} ${JSON.stringify(message.text)} ${wanted} ← ${got}`,
    );
  }
}
