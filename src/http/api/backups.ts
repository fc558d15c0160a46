import { statSync } from "node:fs";
import { basename, join } from "node:path";

import type { Actor } from "../../domain/change.ts";
import { ServiceError } from "../../domain/errors.ts";
import { BackupRow } from "../../domain/operator/server.ts";
import { currentActorOr } from "../../store/changes/current-actor.ts";
import type { Store } from "../../store/interface/store.ts";
import { backupName, openBackupsFolder } from "../../store/sqlite/backup/backup-names.ts";
import type { BackupOrder } from "../../store/sqlite/backup/backup-process.ts";
import { BackupError } from "../../store/sqlite/backup/errors.ts";
import { type ApiRoute, route } from "./frame.ts";

export interface BackupRoutesParts {
  store: Pick<Store, "file">;
  config: { data: string };
  now: () => number;
  /** Copies the database in a separate process. */
  backUp: (order: BackupOrder) => Promise<void>;
}

/** Routes for backups on request. */
export function backupRoutes({ store, config, now, backUp }: BackupRoutesParts): ApiRoute[] {
  let isRunning = false;
  return [
    route({
      method: "POST",
      path: "/backups",
      permission: "backups.write",
      summary: "Back up the database and check the copy",
      produces: "progress",
      response: BackupRow,
      answer(call) {
        if (store.file === undefined) throw postgresHasTools();
        if (isRunning)
          throw new ServiceError("INVALID_REQUEST", "A backup is being made already.", { status: 409 });
        isRunning = true;
        return call.progress(async (report, signal) => {
          try {
            report("copying", 0, 1);
            return await makeBackup(config.data, now(), signal, backUp);
          } finally {
            isRunning = false;
          }
        });
      },
    }),
  ];
}

async function makeBackup(
  dataDir: string,
  now: number,
  signal: AbortSignal,
  backUp: BackupRoutesParts["backUp"],
): Promise<BackupRow> {
  try {
    const file = join(openBackupsFolder(dataDir), backupName(now));
    await backUp({ dataDir, file, signal, by: currentActorOr(NOBODY) });
    const { mtimeMs, size } = statSync(file);
    return { name: basename(file), at: Math.round(mtimeMs), bytes: size };
  } catch (error) {
    if (!(error instanceof BackupError)) throw error;
    throw new ServiceError("STORAGE_UNAVAILABLE", `The backup was not made: ${error.message}`, {
      cause: error,
    });
  }
}

/** Every call has an author, so this is only a fallback. */
const NOBODY: Actor = { kind: "server", name: "unknown" };

function postgresHasTools(): ServiceError {
  return new ServiceError("INVALID_REQUEST", "Back up PostgreSQL with its own tools, such as pg_dump.", {
    status: 409,
  });
}
