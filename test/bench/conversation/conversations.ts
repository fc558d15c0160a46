import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The kind of a turn; see the README beside the data. */
export type TurnKind =
  | "intent"
  | "document"
  | "context"
  | "social"
  | "repair"
  | "denied"
  | "outside"
  | "data"
  | "language";

/** Requirements on a reply. All keys but `mustNot` are alternatives; patterns are regular expressions on its text. */
export interface Expectation {
  /** One pattern of each group matches. */
  facts?: readonly (readonly string[])[];
  /** It is an answer of one of these intents. If there are `facts`, they alone decide. */
  intents?: readonly string[];
  refused?: boolean;
  social?: readonly string[];
  outside?: boolean;
  person?: boolean;
  repair?: boolean;
  /** It asks back, one of these intents among the choices. */
  clarify?: readonly string[];
  /** None of these matches. */
  mustNot?: readonly string[];
}

export interface ExpectedTurn {
  say: string;
  kind: TurnKind;
  needs_context: boolean;
  expect: Expectation;
  /** The same, worded so that it can be understood alone. */
  rewritten?: string;
}

export interface Conversation {
  title: string;
  turns: readonly ExpectedTurn[];
}

export const HALVES = ["tuning", "other"] as const;
export type Half = (typeof HALVES)[number];

/** A bot's file, and its visitors' conversations. */
export interface ConversationBot {
  id: string;
  half: Half;
  file: string;
  conversations: readonly Conversation[];
}

const OWN = join(import.meta.dir, "bots");
/** Five bots that are not of this repository. */
const SHARED =
  process.env["PARLEY_CONVERSATIONS"] ?? join(import.meta.dir, "../../../../shared/conversations");

/** Bots for tuning; results of all others are looked at once a day at most. */
const TUNING: ReadonlySet<string> = new Set(
  JSON.parse(readFileSync(join(OWN, "tuning.json"), "utf8")) as string[],
);

/** Every bot that has conversations, those of the tuning half first. */
export function readConversationBots(): ConversationBot[] {
  const bots = [OWN, SHARED].filter((folder) => existsSync(folder)).flatMap(readFolder);
  return HALVES.flatMap((half) => bots.filter((bot) => bot.half === half));
}

function readFolder(folder: string): ConversationBot[] {
  const ids = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => name.replace(/\.jsonl$/, ""))
    .toSorted();
  return ids.map((id) => ({
    id,
    half: TUNING.has(id) ? "tuning" : "other",
    file: join(folder, `${id}.yaml`),
    conversations: readFileSync(join(folder, `${id}.jsonl`), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line): Conversation => JSON.parse(line)),
  }));
}
