import { join } from "node:path";

import type { Config } from "../../config/config.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { EpochMs } from "../../domain/time.ts";
import { ORIGIN } from "../../domain/version.ts";
import type { Health } from "../../store/interface/health.ts";
import type { Store } from "../../store/interface/store.ts";
import { networkFileSystemOf } from "../../store/sqlite/network-file-system.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { examineEncoder, judgeCounting } from "./backlog.ts";
import { examineBackups } from "./backups.ts";
import { type BotsConfig, examineBots } from "./bots.ts";
import { judgeClock } from "./clock.ts";
import { examineDiskSpace, judgeFileSystem, judgeWriteAheadLog } from "./disk.ts";
import { judgeEmbedTokens } from "./embed-tokens.ts";
import { FILES, isReadableFolder } from "./examine-folder.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { judgeFailedNotices } from "./handoffs.ts";
import { examineRights } from "./rights.ts";

const DATA_FOLDER = findingsOf("data-folder");
const STORAGE = findingsOf("storage");

export interface ServerPatient {
  store: Pick<
    Store,
    "analytics" | "bots" | "embedTokens" | "usage" | "clockState" | "health" | "file" | "outbox" | "vectors"
  >;
  config: Pick<Config, "data" | "backupEvery" | "encoder"> & BotsConfig;
  now: EpochMs;
}

/**
 * The checks of a running server, most serious first in each group: all checks of the doctor except those that read the whole database,
 * call model servers or connect from outside. The database files are never opened, because closing them would release the server's locks.
 */
export async function examineServer({ store, config, now }: ServerPatient): Promise<Finding[]> {
  const storage = examineStorage(store.health);
  const files = store.file === undefined ? [] : examineFiles(config, now);
  if (store.health.failure) return [storage, ...files];
  const builtFrom = ORIGIN.kind === "commit" ? ORIGIN.date : undefined;
  const clock = await store.clockState(now);
  return [
    storage,
    ...files,
    judgeClock({ now, clock, builtFrom, latestTurnAt: undefined }),
    ...(await examineBots(store, config, now)),
    ...judgeEmbedTokens(await store.embedTokens.list(), now),
    judgeCounting(await store.analytics.countingState(), now),
    await examineEncoder(store.vectors, config),
    ...judgeFailedNotices(await store.outbox.listFailedNotices(), now),
  ];
}

/** Whether writes last: storage has failed permanently, the latest write failed, or all is well. */
function examineStorage(health: Health): Finding {
  const { failure } = health;
  if (failure) return storageBroken(failure.message, "the message says how to go on");
  try {
    health.assertWriting();
    return STORAGE.fine("what is acknowledged is on disk");
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { reason, sqliteCode } = error.options.logFields ?? {};
    const why = [reason, sqliteCode].find((field) => typeof field === "string") ?? error.message;
    return storageBroken(
      `the latest write was not stored (${why}); messages are refused while this lasts`,
      "make room on the disk, or end what keeps the database from being written; the log has the error",
    );
  }
}

function storageBroken(message: string, cure: string): Finding {
  return STORAGE.broken(message, cure);
}

function examineFiles({ data, backupEvery }: ServerPatient["config"], now: EpochMs): Finding[] {
  if (!isReadableFolder(data)) {
    const message = `${data} is gone, or this user cannot look into it: its files were not looked at`;
    const cure = "stop the server, put the folder back, or restore a backup, and start the server again";
    return [DATA_FOLDER.broken(message, cure)];
  }
  const log = lookAtPath(join(data, FILES.log))?.size ?? 0;
  return [
    examineRights(data),
    examineDiskSpace(data),
    judgeFileSystem(data, networkFileSystemOf(data)),
    judgeWriteAheadLog(log),
    ...examineBackups({ data, backupEvery }, now),
  ];
}
