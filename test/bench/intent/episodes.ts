import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import type { IntentExamples } from "../../../src/intent/training/examples.ts";
import { dataFolder } from "./calibration-sources.ts";

/** A line of `episodes/*.jsonl`. */
interface EpisodeLine {
  bot: string;
  language: string;
  intents: { name: string; label: string; answer: string; examples: string[] }[];
  messages: { text: string; kind: string; intent?: string; intents?: string[] }[];
}

/** A bot with careless examples, and messages of visitors who did not see them. */
export interface EpisodeBot {
  name: string;
  language: string;
  intents: readonly IntentExamples[];
  messages: readonly EpisodeMessage[];
}

export interface EpisodeMessage {
  text: string;
  origin: "own" | "near" | "far";
  /** The names of its intents; two if it asks for two things. */
  intents: readonly string[];
}

/** The bots that the encoder was not trained on, by the README of the episodes. */
const UNSEEN = new Set([
  "peluqueria",
  "harcourt-lettings",
  "hi-recharge-fatafat",
  "tienda-electronica",
  "ru-magazin-teplodom",
  "pl-szkola-jazdy",
  "Freibad Seewiese",
  "en-a-03-driving-school",
  "ja-tsuhan-yorimichi",
  "pigeonpost",
  "zh-wangdian-xiaolu",
  "en-a-11-nursery",
  "tidewater-museum",
  "FlinkMobil",
]);

/** The bots of `episodes/` that the encoder has not seen. @throws Error if one is missing */
export function unseenEpisodes(): EpisodeBot[] {
  return unseenLines<EpisodeLine>("episodes").map(asBot);
}

/** The lines of a folder's files that are of those bots. @throws Error if one is missing */
export function unseenLines<Line extends { bot: string }>(name: string): Line[] {
  const folder = join(dataFolder(), name);
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith(".jsonl")) : [];
  const bots = files
    .toSorted()
    .flatMap((file) => readFileSync(join(folder, file), "utf8").trim().split("\n"))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ bot }) => UNSEEN.has(bot));
  if (bots.length !== UNSEEN.size)
    throw new Error(`${bots.length} of ${UNSEEN.size} bots that the encoder has not seen are in ${folder}`);
  return bots;
}

function asBot({ bot, language, intents, messages }: EpisodeLine): EpisodeBot {
  return { name: bot, language, intents, messages: messages.map(asMessage) };
}

function asMessage({ text, kind, intent, intents }: EpisodeLine["messages"][number]): EpisodeMessage {
  if (kind === "near" || kind === "far") return { text, origin: kind, intents: [] };
  return { text, origin: "own", intents: intents ?? [intent!] };
}
