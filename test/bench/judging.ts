/**
 * `npm run bench -- --judging`, or `bun test/bench/judging.ts`: CPU microseconds of judging and deciding a message, in all and
 * stage by stage. Nothing is served or stored. `--profile` judges the shop's messages over and over, for `bun --cpu-prof`.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { parseArgs } from "node:util";

import { BOT_RULES } from "../../src/bots/rules.ts";
import { examplesOf } from "../../src/bots/training.ts";
import type { BotDocument } from "../../src/domain/bot.ts";
import type { Classifier } from "../../src/domain/decision.ts";
import { decide } from "../../src/governance/decide.ts";
import { judgeMessage } from "../../src/governance/judge-message.ts";
import { compileGovernancePolicy, type GovernancePolicy } from "../../src/governance/policy.ts";
import { openIntentModel } from "../../src/intent/classifier.ts";
import { trainIntentModel } from "../../src/intent/training/train.ts";
import { parseBotFiles } from "../../src/seed/bot-file.ts";
import { stagesOf } from "./judging-stages.ts";
import { median } from "./load/plan.ts";
import { readRealisticBots } from "./realistic/messages.ts";

const SAMPLES = ["acme-support", "city-kiosk", "riverside-clinic"].map(
  (id) => `${import.meta.dir}/../../data/${id}.yaml`,
);
const ROUNDS = 9;
/** Time of a round in milliseconds; long enough for the clock's resolution. */
const ROUND_MS = 60;
/** Time before the measurement in milliseconds, so that the code is compiled. */
const WARM_UP_MS = 700;
/** "Can I change the delivery address of my order" has nine words; a request without a story has seldom more. */
const MAX_WORDS = 9;

/** A bot, and its visitors' messages. */
export interface JudgedBot {
  classifier: Classifier;
  policy: GovernancePolicy;
  messages: readonly string[];
}

interface Case extends JudgedBot {
  title: string;
  goalUs?: number;
}

const { values: options } = parseArgs({
  options: { profile: { type: "boolean" }, judging: { type: "boolean" } },
  allowPositionals: true,
});
const realistic = readRealisticBots();
const documents = SAMPLES.map((file) => readBot(file));
const [shop] = documents as [BotDocument, ...BotDocument[]];

if (options.profile) spend(8000, casesOf()[1]!);
else casesOf().forEach((one) => printCase(one));

function readBot(file: string): BotDocument {
  const { bots, problems } = parseBotFiles(
    [{ name: basename(file), text: readFileSync(file, "utf8") }],
    BOT_RULES,
  );
  if (bots.length !== 1) throw new Error(`${file}: ${JSON.stringify(problems)}`);
  return bots[0]!.document;
}

function casesOf(): Case[] {
  const candidates = [
    ...documents.flatMap(({ tests = [], intents = [] }) => [
      ...tests.flatMap((one) => ("utterance" in one ? [one.utterance] : [])),
      ...intents.flatMap(({ examples = [] }) => examples.slice(0, 5)),
    ]),
    ...realistic.flatMap(({ messages }) => messages.map(({ text }) => text)),
  ];
  const intents = shop.intents!.map(({ examples = [], ...intent }) => ({
    ...intent,
    examples: examples.slice(0, 20),
  }));
  const { capabilityProfile: _, ...open } = shop;
  const shortOnes = (bot: JudgedBot) => ({
    ...bot,
    messages: bot.messages.filter((text) => isPlain(text, bot)),
  });
  return [
    {
      title: "20 intents of 20 examples, nothing denied; short messages that match",
      goalUs: 12,
      ...shortOnes(judgedBot({ ...open, intents }, candidates)),
    },
    {
      title: "the sample shop, which denies four kinds of intents; short messages that match",
      goalUs: 25,
      ...shortOnes(judgedBot(shop, candidates)),
    },
    {
      title: "the sample shop; whatever visitors write to any bot",
      ...judgedBot(shop, candidates),
    },
  ];
}

function judgedBot(document: BotDocument, messages: readonly string[]): JudgedBot {
  const classifier = openIntentModel(trainIntentModel(examplesOf(document)).model);
  return { classifier, policy: compileGovernancePolicy(document, classifier), messages };
}

/** Whether a message is short and is answered with its best intent. */
function isPlain(text: string, { classifier, policy }: JudgedBot): boolean {
  if (text.split(/\s+/).length > MAX_WORDS) return false;
  const decision = decide({ judged: judgeMessage(text, classifier, policy), policy });
  return decision.kind === "allowed" && decision.rule === "best-intent";
}

function judgeAll({ classifier, policy, messages }: JudgedBot): void {
  for (const text of messages) decide({ judged: judgeMessage(text, classifier, policy), policy });
}

function printCase(bot: Case): void {
  const { title, goalUs, messages } = bot;
  const words = messages.reduce((sum, text) => sum + text.split(/\s+/).length, 0) / messages.length;
  console.log(`\n${title}\n  ${messages.length} messages of ${words.toFixed(1)} words`);
  for (const [name, run] of stagesOf(bot)) printRow(name, microsecondsOf(run, messages.length));
  const whole = microsecondsOf(() => judgeAll(bot), messages.length);
  printRow("judged and decided", whole, goalUs === undefined ? "" : `(goal ${goalUs})`);
}

function printRow(name: string, microseconds: number, note = ""): void {
  console.log(`  ${name.padEnd(40)} ${microseconds.toFixed(2).padStart(8)} µs ${note}`.trimEnd());
}

/** CPU time of a message, with the threads of collector and compiler; the median of several rounds. */
function microsecondsOf(run: () => void, messageCount: number): number {
  const once = spend(WARM_UP_MS, run);
  const times = Math.max(1, Math.round(ROUND_MS / once));
  return median(Array.from({ length: ROUNDS }, () => cpuMicroseconds(run, times) / times / messageCount));
}

function cpuMicroseconds(run: () => void, times: number): number {
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Runs for about so long. @returns milliseconds of one run. */
function spend(totalMs: number, work: JudgedBot | (() => void)): number {
  const run = typeof work === "function" ? work : () => judgeAll(work);
  const startedAt = performance.now();
  let runs = 0;
  for (; performance.now() - startedAt < totalMs; runs++) run();
  return (performance.now() - startedAt) / runs;
}
