import { join } from "node:path";

import type { Config } from "../../config/config.ts";
import type { Environment } from "../../domain/os-user.ts";
import type { Now } from "../../domain/time.ts";
import { ORIGIN } from "../../domain/version.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import { sqliteCode } from "../../store/sqlite/failure.ts";
import { type Contents, Inspection, loadDriver } from "../../store/sqlite/inspection.ts";
import { networkFileSystemOf } from "../../store/sqlite/network-file-system.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { UnusableDatabaseError } from "../../store/unusable-database.ts";
import { examineEncoder, judgeCounting } from "./backlog.ts";
import { examineBackups } from "./backups.ts";
import { examineBots } from "./bots.ts";
import { judgeClock } from "./clock.ts";
import { examineDiskSpace, judgeFileSystem, judgeWriteAheadLog } from "./disk.ts";
import { judgeEmbedTokens } from "./embed-tokens.ts";
import { examineDataFolder, FILES, isReadableFolder } from "./examine-folder.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { judgeFailedNotices } from "./handoffs.ts";
import { examineIntegrity, type OnTable } from "./integrity.ts";
import { examineListeners } from "./listeners.ts";
import {
  examineBucketServer,
  examineEndpoints,
  examineMailServer,
  examineModelServers,
} from "./other-servers.ts";
import { examinePostgres } from "./postgres.ts";
import { examineRights, examineSecretFiles, type SecretFile } from "./rights.ts";
import { judgeAssets, judgeProxy, judgeStorage } from "./server-metrics.ts";
import { examineTests, type Testing } from "./tests.ts";
import { judgeWebhooks, judgeWebhookSecrets } from "./webhooks.ts";

const DATA_FOLDER = findingsOf("data-folder");
const DRIVER = findingsOf("driver");

/** The installation to check, and how. */
export interface Patient {
  config: Config;
  env: Environment;
  /** Files with secrets outside the data folder. */
  secretFiles: readonly SecretFile[];
  now: Now;
  /** Skips slow checks: reading the whole database, running tests of bots, and calling model servers and the mail server. */
  isQuick: boolean;
  onTable: OnTable;
  /** Called before a step that may take seconds. @param share of these steps done. */
  onStep: (what: string, share: number) => void;
  testing: Testing;
}

/** Checks a whole installation, in order. It only reads; a server may run at the same time. */
export async function* examine(patient: Patient): AsyncGenerator<Finding> {
  const { config, env, isQuick } = patient;
  const { data, store } = config;
  let hasServer = false;
  if (store) yield* examinePostgres(store, patient, NO_WITNESSES);
  else hasServer = yield* examineFolder(patient, data);
  yield* examineSecretFiles(patient.secretFiles);
  yield* judgeWebhookSecrets(config.webhooks, env);
  if (!isQuick) yield* examineServers(patient);
  if (config.buckets !== undefined) yield await examineBucketServer(config.buckets);
  const { findings, metrics } = await examineListeners(config, hasServer);
  yield* findings;
  if (metrics !== undefined) yield* [judgeStorage(metrics), ...judgeAssets(metrics)];
  yield judgeProxy(config, metrics);
}

/** Connects to the other servers, one kind after another. */
async function* examineServers({ config, env, onStep }: Patient): AsyncGenerator<Finding> {
  onStep("connecting to model servers", 0);
  yield* await examineModelServers(config.models, env);
  onStep("connecting to endpoints", 1 / 3);
  yield* await examineEndpoints(config.endpoints, env);
  onStep("connecting to the mail server", 2 / 3);
  yield* await examineMailServer(config);
}

/** Checks the data folder and its database. @returns whether a server is registered in the database. */
async function* examineFolder(patient: Patient, data: string): AsyncGenerator<Finding, boolean> {
  const { config, env, now } = patient;
  const driver = examineDriver(env);
  yield driver;
  const folder = examineDataFolder(data);
  if (isReadableFolder(data)) {
    yield examineRights(data);
    yield examineDiskSpace(data);
    yield judgeFileSystem(data, networkFileSystemOf(data));
    yield* examineBackups(config, now());
  }
  if (folder.severity === "fine" && driver.severity === "fine")
    return yield* examineDatabase(patient, folder);
  yield* [folder, judgeClock({ ...NO_WITNESSES, now: now() })];
  return false;
}

/** Without a database, only the executable's build date tells about the clock. */
const NO_WITNESSES = {
  latestTurnAt: undefined,
  clock: undefined,
  builtFrom: ORIGIN.kind === "commit" ? ORIGIN.date : undefined,
};

async function* examineDatabase(patient: Patient, folder: Finding): AsyncGenerator<Finding, boolean> {
  try {
    using database = new Inspection(join(patient.config.data, FILES.database), patient.now);
    yield judgeContents(database, folder);
    yield* examineContents(patient, database);
    return database.contents === "current" && database.hasServer();
  } catch (error) {
    yield unreadable(error);
    return false;
  }
}

/** @throws errors that do not come from reading the database. */
function unreadable(error: unknown): Finding {
  if (!(error instanceof UnusableDatabaseError) && sqliteCode(error) === undefined) throw error;
  const cure = "if this is the right folder: stop the server, and `parley restore` a backup";
  return DATA_FOLDER.broken((error as Error).message, cure);
}

/** The state of the database; `folder` is the finding made before opening it. Pure. */
export function judgeContents({ contents }: Pick<Inspection, "contents">, folder: Finding): Finding {
  return OTHER_CONTENTS[contents] ?? folder;
}

const OTHER_CONTENTS: Partial<Record<Contents, Finding>> = {
  empty: DATA_FOLDER.fine("the database holds nothing yet"),
  older: DATA_FOLDER.hint(
    "the database is of an older Parley: the next start copies it, then brings it up to date",
    "nothing to do; what is in it is looked at after that",
  ),
  newer: DATA_FOLDER.broken(
    "the database was written by a newer Parley, and this one refuses it",
    "run the newer executable",
  ),
  foreign: DATA_FOLDER.broken(
    "parley.db is a database of another program",
    "choose another folder with --data",
  ),
};

async function* examineContents(
  { config, now, isQuick, onTable, testing }: Patient,
  database: Inspection,
): AsyncGenerator<Finding> {
  yield judgeWriteAheadLog(lookAtPath(join(config.data, FILES.log))?.size ?? 0);
  if (!isQuick) yield examineIntegrity(database, onTable);
  if (database.contents !== "current") return;
  const latestTurnAt = database.findLatestTurnAt();
  const clock = await database.clockState(now());
  yield judgeClock({ ...NO_WITNESSES, now: now(), latestTurnAt, clock });
  const runTests = (bots: readonly StoredBot[]) => examineTests(database, bots, testing);
  yield* await examineBots(database, config, now(), isQuick ? undefined : runTests);
  yield* judgeEmbedTokens(await database.embedTokens.list(), now());
  yield* judgeWebhooks(await database.outbox.countWaitingTurns());
  yield judgeCounting(database.counting.state(), now());
  yield await examineEncoder(database.vectors, config);
  yield* judgeFailedNotices(await database.outbox.listFailedNotices(), now());
}

/** Loads the SQLite driver, which an executable first unpacks to the temporary folder. */
export function examineDriver(env: Environment, load = loadDriver): Finding {
  const folder = temporaryFolder(env);
  try {
    load();
    return DRIVER.fine(`the SQLite driver loads; an executable unpacks it to ${folder}`);
  } catch (error) {
    return DRIVER.broken(
      `the SQLite driver cannot be unpacked to ${folder} and loaded (${(error as Error).message})`,
      "point BUN_TMPDIR at a folder of this user on a file system without noexec, here and where the server starts",
    );
  }
}

/** The folder where Bun unpacks embedded files, by its order of search. */
export function temporaryFolder(env: Environment): string {
  return env.BUN_TMPDIR || env.TMPDIR || env.TMP || env.TEMP || "/tmp";
}
