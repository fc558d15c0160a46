import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { runExecutable } from "../support/executable.ts";

/** A message that the bots' only intent answers. */
export const INPUT = "where is my order";
export const SCRIPTED = "scripted";
export const MODELLED = "modelled";
/** Messages a month of each capped bot; fewer than a round's callers send. */
export const CAP = 40;
const CAPPED_BOTS = 40;

export const cappedBot = (round: number): string => `capped-${round % CAPPED_BOTS}`;

function botNamed(id: string, fields: object = {}): object {
  const examples = [INPUT, "track my parcel please", "when will my package arrive"];
  const intents = [{ name: "orders.status", examples, responses: ["It is on its way."] }];
  return { id, name: id, allowedDomains: ["*"], intents, ...fields };
}

interface SeedOptions {
  cap?: number;
  cappedBots?: number;
  /** Names another store than the folder. */
  env?: Record<string, string>;
}

/** A folder with `data/` in it: seeded bots, and a token for all of them. */
export class TortureFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), "parley-torture-"));
  readonly data = join(this.path, "data");
  readonly database = join(this.data, "parley.db");
  token = "";

  /** Runs a command over the folder to its end. */
  run(args: readonly string[], env: Record<string, string> = {}) {
    return runExecutable(args, { cwd: this.path, env });
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
}: SeedOptions = {}): Promise<TortureFolder> {
  const folder = new TortureFolder();
  const capped = Array.from({ length: cappedBots }, (_, number) => `capped-${number}`);
  const bots = [
    botNamed(SCRIPTED),
    botNamed(MODELLED, { responder: { kind: "model" } }),
    ...capped.map((id) => botNamed(id, { monthlyMessageCap: cap })),
  ];
  const stdin = bots.map((bot) => JSON.stringify(bot)).join("\n---\n");
  const seeded = await runExecutable(["seed", "-", "--no-review"], { cwd: folder.path, env, stdin });
  if (seeded.exitCode !== 0) throw new Error(seeded.stderr);
  const ids = [SCRIPTED, MODELLED, ...capped];
  const created = await folder.run(["token", "create", ...ids.flatMap((id) => ["--bot", id])], env);
  if (created.exitCode !== 0) throw new Error(created.stderr);
  folder.token = created.stdout.trim();
  return folder;
}

/** A copy of a folder in which nobody writes. */
export function copyFolder(folder: TortureFolder): TortureFolder {
  const copy = new TortureFolder();
  cpSync(folder.path, copy.path, { recursive: true });
  copy.token = folder.token;
  return copy;
}
