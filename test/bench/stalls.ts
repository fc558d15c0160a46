/**
 * `npm run bench -- --stalls`: how long one message of a visitor holds the main loop, in milliseconds, if it is made to
 * cost as much as it can: generated inputs of the lengths that bots allow, for a bot with denied intents, a thousand deny terms, all deny
 * patterns and documents. Each input is sent several times, with other words each time; the median of its longest stalls is printed. Linux only.
 */
import { readFileSync } from "node:fs";

import { type BotKnowledge, knowledgeInMemory } from "../../src/bots/bot-knowledge.ts";
import { BOT_RULES } from "../../src/bots/rules.ts";
import { examplesOf } from "../../src/bots/training.ts";
import { loadConfig } from "../../src/config/config.ts";
import type { BotDocument } from "../../src/domain/bot.ts";
import { EncoderThread } from "../../src/intent/classifier.ts";
import { openRehearsal } from "../../src/runtime/open-rehearsal.ts";
import { parseBotFiles } from "../../src/seed/bot-file.ts";
import { trainHere } from "../support/encode-here.ts";
import { median } from "./load/plan.ts";

/** Limit of a stall on the machine of the measurements. */
const GOAL_MS = 10;
/** The longest input that is judged on the main loop; the default of `maxInputLength`; and its maximum. */
const LENGTHS = [500, 4000, 16_000];
const ROUNDS = 3;
const DENY_TERMS = 1000;
const PASSAGES = 300;

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const HEXADECIMAL = "0123456789abcdef";

/** Pseudo-random numbers from 0 to 1 (constants of Numerical Recipes): the same in every run. */
let state = 1;
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
const below = (end: number): number => Math.floor(random() * end);
const word = (length: number, letters = LETTERS): string =>
  Array.from({ length }, () => letters[below(letters.length)]).join("");
const codePoint = (from: number, count: number): string => String.fromCodePoint(from + below(count));

/** Repeats generated parts until the text has so many UTF-16 code units. */
function many(length: number, make: () => string, between = " "): string {
  let text = "";
  while (text.length < length) text += make() + between;
  return text.slice(0, length).toWellFormed();
}

const INPUTS: Readonly<Record<string, (length: number) => string>> = {
  "random words": (n) => many(n, () => word(3 + below(7))),
  "random words of four letters": (n) => many(n, () => word(4)),
  "single letters": (n) => many(n, () => word(1)),
  "one word": (n) => word(n),
  "hexadecimal, in eights": (n) => many(n, () => word(8, HEXADECIMAL)),
  "hexadecimal, in pairs": (n) => many(n, () => word(2, HEXADECIMAL)),
  "hexadecimal, one word": (n) => word(n, HEXADECIMAL),
  Base64: (n) => many(n, () => word(24, `${LETTERS}${LETTERS.toUpperCase()}0123456789+/`)),
  leetspeak: (n) => many(n, () => word(5, "a4e3i1o0s5$@t7")),
  numbers: (n) => many(n, () => word(6, "0123456789")),
  signs: (n) => many(n, () => word(3, "!@#$%^&*()-_=+[]{};:,.<>/?|~")),
  "percent-encoded": (n) => many(n, () => `%${word(2, HEXADECIMAL)}`, ""),
  entities: (n) => many(n, () => `&#${97 + below(26)};`, ""),
  "e-mail addresses": (n) => many(n, () => `${word(4)}@${word(4)}.com`),
  "Cyrillic words": (n) => many(n, () => Array.from({ length: 5 }, () => codePoint(0x4_30, 32)).join("")),
  ideographs: (n) => many(n, () => codePoint(0x4e_00, 20_000), ""),
  "stacked accents": (n) => many(n, () => word(1) + codePoint(0x3_00, 80), ""),
  emoji: (n) => many(n, () => codePoint(0x1_f6_00, 60), ""),
};

/** The sample shop with more deny rules and documents. */
function busyBot(): BotDocument {
  const name = "acme-support.yaml";
  const text = readFileSync(new URL(`../../data/${name}`, import.meta.url), "utf8");
  const { bots } = parseBotFiles([{ name, text }], BOT_RULES);
  const { document } = bots[0]!;
  const denyTerms = Array.from({ length: DENY_TERMS }, () => word(5 + below(6)));
  return {
    ...document,
    maxInputLength: Math.max(...LENGTHS),
    capabilityProfile: {
      ...document.capabilityProfile,
      denyTerms,
      denyPatterns: ["card-number", "iban", "e-mail", "phone"],
    },
  };
}

function passages(document: BotDocument): BotKnowledge {
  const sentences = (document.intents ?? []).flatMap(({ examples = [] }) => examples);
  const body = () => Array.from({ length: 12 }, () => `${sentences[below(sentences.length)]}.`).join(" ");
  return knowledgeInMemory(
    new Map(
      Array.from({ length: PASSAGES }, (_, id) => [
        id,
        { documentId: `d${id}`, title: word(8), headingPath: [], body: body() },
      ]),
    ),
  );
}

/** Processor time of this process's main thread in milliseconds, by the kernel; other processes do not lengthen it. */
function ranMs(): number {
  const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

/** The most processor time of the main thread between two turns of its loop while something runs. */
async function longestStall(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = ranMs();
  let isOver = false;
  const look = () => {
    const now = ranMs();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await run();
  isOver = true;
  look();
  return longest;
}

export async function printStalls(): Promise<void> {
  const document = busyBot();
  const model = trainHere(examplesOf(document));
  using encoder = new EncoderThread();
  const config = loadConfig({ flags: {}, env: {}, readFile: () => "" });
  await using talk = await openRehearsal(config, document, model, { encoder, knowledge: passages(document) });
  for (let i = 0; i < 100; i++) await talk.say(`where is my order ${i}`);
  console.log(`longest stall of the main loop by one message, in ms of processor time (goal ${GOAL_MS})`);
  for (const [name, make] of Object.entries(INPUTS)) {
    const stalls: string[] = [];
    for (const length of LENGTHS) {
      const rounds: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        talk.startOver();
        rounds.push(await longestStall(() => talk.say(make(length))));
      }
      stalls.push(`${length}: ${median(rounds).toFixed(1)}`.padStart(14));
    }
    console.log(`  ${name.padEnd(32)}${stalls.join("")}`);
  }
}
