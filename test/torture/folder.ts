import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SQL } from "bun";

import { Sqlite } from "../../src/store/sqlite/driver.ts";
import { runExecutable } from "../support/executable.ts";
import { ordersBot } from "../support/orders-bot.ts";

/** A message that the bots' only intent answers. */
export const INPUT = "where is my order";
export const SCRIPTED = "scripted";
export const MODELLED = "modelled";
/** Messages a month of each capped bot; fewer than a round's callers send. */
export const CAP = 40;
const CAPPED_BOTS = 40;

/** Bots that operators change, and one with a person behind it. */
export const EDITED = ["edited-0", "edited-1"];
export const DRAFTED = ["drafted-0", "drafted-1"];
export const READING = ["reading-0", "reading-1"];
export const HELPING = "helping";
/** The webhook that is told of its hand-offs. */
export const TEAM = "team";
/** Whose orders are cancelled by an endpoint. */
export const SHOP = "shop";

export const cappedBot = (round: number): string => `capped-${round % CAPPED_BOTS}`;
/** The same, answered by a model. */
export const cappedModel = (round: number): string => `capped-model-${round % CAPPED_BOTS}`;

/** A bot with one intent. */
export function botNamed(id: string, fields: object = {}, moreExamples: readonly string[] = []): object {
  const examples = [INPUT, "track my parcel please", "when will my package arrive", ...moreExamples];
  const intents = [{ name: "orders.status", examples, responses: ["It is on its way."] }];
  return { id, name: id, allowedDomains: ["*"], intents, ...fields };
}

interface SeedOptions {
  cap?: number;
  cappedBots?: number;
  /** Names another store than the folder, and where the token buckets are. */
  env?: Record<string, string>;
  /** Whether operators and callers who leave are to have bots of their own. */
  isOperated?: boolean;
}

/** A folder with `data/` in it, or the name of another store: seeded bots, and a token for all of them. */
export class TortureFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "parley-torture-"));
  readonly data = join(this.path, "data");
  readonly database = join(this.data, "parley.db");
  readonly env: Record<string, string>;
  token = "";

  constructor(env: Record<string, string> = {}) {
    this.env = env;
  }

  /** The database where it is none of the folder's. */
  get postgresUrl(): string | undefined {
    return this.env["PARLEY_STORE"];
  }

  /** Runs a command over the folder to its end. */
  run(args: readonly string[], env: Record<string, string> = {}) {
    return runExecutable(args, { cwd: this.path, env: { ...this.env, ...env } });
  }

  /** Runs a statement that both engines know, beside servers. */
  async rows<Row extends object>(statement: string): Promise<Row[]> {
    if (this.postgresUrl !== undefined) {
      await using sql = new SQL(this.postgresUrl, { max: 1 });
      return (await sql.unsafe(statement)) as Row[];
    }
    const db = new Sqlite(this.database, { fileMustExist: true, timeout: 5000 });
    try {
      const prepared = db.prepare<[], Row>(statement);
      if (prepared.reader) return prepared.all();
      prepared.run();
      return [];
    } finally {
      db.close();
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A folder that is seeded once, and copied as often as needed. */
export async function seedFolder({
  cap = CAP,
  cappedBots = CAPPED_BOTS,
  env = {},
  isOperated = false,
}: SeedOptions = {}): Promise<TortureFolder> {
  const folder = new TortureFolder(env);
  const capped = Array.from({ length: cappedBots }, (_, number) => `capped-${number}`);
  const responder = { kind: "model" };
  const operated = [
    ...[...EDITED, ...DRAFTED, ...READING].map((id) => ({ id, fields: {} })),
    { id: HELPING, fields: { handoff: { webhook: TEAM } } },
    ...capped.map((_, number) => ({
      id: cappedModel(number),
      fields: { monthlyMessageCap: cap, responder },
    })),
  ];
  const bots = [
    { id: SCRIPTED, fields: {} },
    { id: MODELLED, fields: { responder } },
    ...capped.map((id) => ({ id, fields: { monthlyMessageCap: cap } })),
    ...(isOperated ? operated : []),
  ];
  const documents = [
    ...bots.map(({ id, fields }) => botNamed(id, fields)),
    ...(isOperated ? [ordersBot({ allowedDomains: ["*"] })] : []),
  ];
  const stdin = documents.map((document) => JSON.stringify(document)).join("\n---\n");
  const seeded = await runExecutable(["seed", "-", "--no-review"], { cwd: folder.path, env, stdin });
  if (seeded.exitCode !== 0) throw new Error(seeded.stderr);
  const ids = [...bots.map(({ id }) => id), ...(isOperated ? [SHOP] : [])];
  const created = await folder.run(["token", "create", ...ids.flatMap((id) => ["--bot", id])]);
  if (created.exitCode !== 0) throw new Error(created.stderr);
  folder.token = created.stdout.trim();
  return folder;
}

/** A copy of a folder in which nobody writes, and of the database in it. */
export function copyFolder(folder: TortureFolder): TortureFolder {
  const copy = new TortureFolder();
  cpSync(folder.path, copy.path, { recursive: true });
  copy.token = folder.token;
  return copy;
}
