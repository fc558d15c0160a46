import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A line of `messages/<bot>.jsonl`; the kind of message follows from its fields. */
interface MessageLine {
  text: string;
  intent?: string | null;
  decision?: string;
  kind?: "near" | "far" | "follow-up" | "two";
  social?: string;
  previous?: string;
  intents?: [string, string];
}

/** A visitor's message, and its expected outcome. */
export type VisitorMessage = { text: string } & (
  | { kind: "in-scope"; intent: string }
  | { kind: "denied" | "near" | "far" }
  | { kind: "social"; intent: string }
  | { kind: "follow-up"; previous: string; intent: string }
  | { kind: "two"; intents: readonly [string, string] }
);
export type MessageKind = VisitorMessage["kind"];

/** A bot's file, and its visitors' messages. */
export interface RealisticBot {
  id: string;
  part: "tuning" | "test";
  file: string;
  messages: readonly VisitorMessage[];
}

const HERE = import.meta.dir;
/** Two bots that are not of this repository; beside the intent data sets. */
const SHARED = join(
  process.env["PARLEY_INTENT_DATA"] ?? join(HERE, "../../../../shared/intent-data"),
  "realistic",
);

/** Every bot of `split.json` whose file exists. */
export function readRealisticBots(): RealisticBot[] {
  const split: Record<RealisticBot["part"], string[]> = JSON.parse(
    readFileSync(join(HERE, "bots/split.json"), "utf8"),
  );
  return (["tuning", "test"] as const).flatMap((part) =>
    split[part].flatMap((id) => {
      const file = [join(HERE, "bots"), SHARED].map((folder) => join(folder, `${id}.yaml`)).find(existsSync);
      return file === undefined ? [] : [{ id, part, file, messages: messagesOf(id) }];
    }),
  );
}

/** Bots of a folder that holds `<id>.yaml` beside `<id>.jsonl`, as test bots. */
export function readBotsOf(folder: string): RealisticBot[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => name.replace(/\.yaml$/, ""))
    .map((id) => ({
      id,
      part: "test",
      file: join(folder, `${id}.yaml`),
      messages: readLines(join(folder, `${id}.jsonl`)),
    }));
}

function messagesOf(id: string): VisitorMessage[] {
  return [join(HERE, "messages"), SHARED]
    .map((folder) => join(folder, `${id}.jsonl`))
    .filter((file) => existsSync(file))
    .flatMap(readLines);
}

function readLines(file: string): VisitorMessage[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => asMessage(JSON.parse(line)));
}

function asMessage({ text, intent, decision, kind, social, previous, intents }: MessageLine): VisitorMessage {
  if (social !== undefined) return { text, kind: "social", intent: social };
  if (kind === "two") return { text, kind, intents: intents! };
  if (kind === "follow-up") return { text, kind, previous: previous!, intent: intent! };
  if (decision !== undefined) return { text, kind: "denied" };
  if (intent === null || intent === undefined) return { text, kind: kind ?? "far" };
  return { text, kind: "in-scope", intent };
}
