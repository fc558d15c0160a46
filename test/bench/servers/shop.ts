import { parse } from "yaml";

import { runExecutable } from "../../support/executable.ts";
import { type PlannedRequest, plannedPost } from "../load/plan.ts";
import { dataFolder } from "./data-folder.ts";
import { serveParley } from "./serve.ts";

/** The sample shop without the limits that a load would reach, and its visitors' messages. */
export interface Shop {
  botId: string;
  tokens: readonly string[];
  /** Short messages of {@link PER_INTENT} for each intent, with scripted answers and without need of the encoder. */
  messages: readonly string[];
}

interface ShopDocument {
  id: string;
  intents: { name: string; examples: string[]; responses?: string[] }[];
}

interface ExportedTurn {
  input: string;
  metadata: { capabilityAllowed: boolean };
  receipt: { understanding?: string };
}

const SAMPLE = `${import.meta.dir}/../../../data/acme-support.yaml`;
const TOKENS = 8;
const PER_INTENT = 6;
/** Most messages to a shop are shorter. */
const MAX_LENGTH = 60;
/** Messages of a visitor to a bot. */
export const TURNS = 4;

/** Seeds the shop into an empty folder, with tokens, and finds the messages that it is sure of. */
export async function seedShop(data: string): Promise<Shop> {
  const shop = await readSample();
  const tokens = await seedSample({ data }, shop);
  return { botId: shop.id, tokens, messages: await sureMessages(data, shop, tokens[0]!) };
}

/** The same shop on another store, with tokens of its own there. @param env names the store. */
export async function seedSameShop(shop: Shop, data: string, env: Record<string, string>): Promise<Shop> {
  return { ...shop, tokens: await seedSample({ data, env }, await readSample()) };
}

async function readSample(): Promise<ShopDocument> {
  // Its documents are files beside the sample, and standard input has none.
  const {
    rateLimit: _,
    monthlyMessageCap: __,
    knowledge: ___,
    ...document
  } = parse(await Bun.file(SAMPLE).text());
  return document as ShopDocument;
}

/** Folder and store of a command. */
interface Place {
  data: string;
  env?: Record<string, string>;
}

/** @returns the tokens. */
async function seedSample(place: Place, shop: ShopDocument): Promise<string[]> {
  await run(place, JSON.stringify(shop), "seed", "-");
  const tokens: string[] = [];
  while (tokens.length < TOKENS) tokens.push(await createToken(place, shop.id));
  return tokens;
}

/** Every message with every token in turn. */
export function chatRequests(origin: string, { botId, tokens, messages }: Shop): PlannedRequest[] {
  return messages.flatMap((input, at) =>
    tokens.map((_, next) => {
      const token = tokens[(at + next) % tokens.length]!;
      return plannedPost(origin, "/chat", { Authorization: `Bearer ${token}` }, { botId, input });
    }),
  );
}

/** Runs a command of the executable. @returns its output. @throws Error if it fails. */
async function run({ data, env = {} }: Place, stdin: string, ...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runExecutable([...args, "--data", data], {
    cwd: data,
    env,
    stdin,
  });
  if (exitCode !== 0) throw new Error(stderr);
  return stdout;
}

async function createToken(place: Place, botId: string): Promise<string> {
  return (JSON.parse(await run(place, "", "token", "create", "--bot", botId, "--json")) as { token: string })
    .token;
}

async function sureMessages(data: string, { id, intents }: ShopDocument, token: string): Promise<string[]> {
  using trial = dataFolder("disk", data);
  const candidates = intents
    .filter(({ responses }) => responses !== undefined)
    .flatMap(({ examples }) => examples.filter((text) => text.length <= MAX_LENGTH).slice(0, PER_INTENT));
  {
    await using server = await serveParley(trial.path);
    for (const input of candidates) await say(server.url, token, id, input);
  }
  const exported = await run({ data: trial.path }, "", "conversation", "export");
  const turns = exported
    .trim()
    .split("\n")
    .flatMap((line) => (JSON.parse(line) as { turns: ExportedTurn[] }).turns);
  return turns
    .filter(({ metadata, receipt }) => metadata.capabilityAllowed && receipt.understanding === undefined)
    .map(({ input }) => input);
}

async function say(url: string, token: string, botId: string, input: string): Promise<void> {
  const answer = await fetch(`${url}/chat`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ botId, input }),
  });
  if (!answer.ok) throw new Error(`answered ${answer.status}: ${await answer.text()}`);
}
