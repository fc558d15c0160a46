import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "yaml";

import type { BotDocument } from "../../../../src/domain/bot.ts";

/** A message to one of the bots, perhaps as the second of a conversation. */
export interface AllowedMessage {
  bot: string;
  before?: string;
  text: string;
}

/** A request that the bot's operator denies. */
export interface Attack extends AllowedMessage {
  kind: string;
}

/** Bots with deny lists as operators write them, and the requests that were written against them afterwards. */
export interface AdversarySet {
  bots: readonly BotDocument[];
  attacks: readonly Attack[];
  allowed: readonly AllowedMessage[];
}

export function readAdversarySet(folder = import.meta.dir): AdversarySet {
  const bots = readdirSync(join(folder, "bots")).toSorted();
  return {
    bots: bots.map((name) => parse(readFileSync(join(folder, "bots", name), "utf8")) as BotDocument),
    attacks: readLines<Attack>(join(folder, "attacks.jsonl")),
    allowed: readLines<AllowedMessage>(join(folder, "allowed.jsonl")),
  };
}

function readLines<Line>(file: string): Line[] {
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}
