import { rmSync } from "node:fs";
import { join } from "node:path";

import { Callers } from "./callers.ts";
import { cappedBot } from "./folder.ts";
import type { RoundsOptions } from "./kill-rounds.ts";
import { compare } from "./ledger.ts";
import { kill, serve } from "./server.ts";
import { startSlowModel } from "./slow-model.ts";

/** As many as there are cores to make them. */
const AT_ONCE = 2;
const PER_SERVER = 4;
/** Load enough that every backup is made between commits, and little enough that a hundred of them stay small. */
const PAUSE_MS = 20;

interface BackupOptions extends Omit<RoundsOptions, "rounds"> {
  backups: number;
}

/** Makes backups while callers talk, restores each into a fresh folder, and compares it with what was acknowledged before it began. */
export async function runBackupRounds(options: BackupOptions): Promise<void> {
  const { folder, backups, until, random, tally, say } = options;
  await using model = await startSlowModel(random);
  const server = await serve(folder, { modelUrl: model.url });
  const lines = [{ url: server.url, token: folder.token }];
  let numbers = 0;
  const callers = new Callers({
    lines,
    perServer: PER_SERVER,
    random,
    capped: cappedBot(0),
    nextNumber: () => ++numbers,
    pauseMs: PAUSE_MS,
  });
  let begun = 0;
  const work = async () => {
    while (begun < backups && performance.now() < until) {
      const number = begun++;
      await backUpAndCompare(options, callers, number);
      tally.tried.backups++;
      if (number % 20 === 19) say(`backup ${number + 1}: unequal ${tally.wrong.backupsUnequal}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await kill(server);
  await callers.stop();
  tally.tried.kills++;
  tally.tried.acknowledged += callers.acknowledged.length;
  for (const finding of callers.unexpected) tally.note("unexpected", `backups: ${finding}`);
  compare(folder.database, callers.acknowledged, tally, { missing: "lost", place: "after the backups" });
}

async function backUpAndCompare(
  { folder, tally }: BackupOptions,
  callers: Callers,
  number: number,
): Promise<void> {
  const place = `backup ${number}`;
  const [file, elsewhere] = [
    join(folder.path, `copy-${number}.db`),
    join(folder.path, `elsewhere-${number}`),
  ];
  const before = [...callers.acknowledged];
  for (const args of [
    ["backup", file],
    ["restore", file, "--data", elsewhere],
  ]) {
    const { exitCode, stderr } = await folder.run(args);
    if (exitCode !== 0) return tally.note("backupsUnequal", `${place}: ${stderr}`);
  }
  compare(join(elsewhere, "parley.db"), before, tally, { missing: "backupsUnequal", place });
  rmSync(file);
  rmSync(elsewhere, { recursive: true });
}
