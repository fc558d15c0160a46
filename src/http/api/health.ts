import { statfsSync } from "node:fs";
import { join } from "node:path";

import { ServiceError } from "../../domain/errors.ts";
import { ServerHealth } from "../../domain/operator/server.ts";
import { VERSION } from "../../domain/version.ts";
import { FILES, isReadableFolder, statIfThere } from "../../operate/doctor/examine-folder.ts";
import { type ServerPatient, examineServer } from "../../operate/doctor/examine-server.ts";
import { listBackups } from "../../operate/list-backups.ts";
import type { AssertReady } from "../readiness.ts";
import { type ApiRoute, route } from "./frame.ts";

export interface HealthRoutesParts {
  store: ServerPatient["store"];
  config: ServerPatient["config"];
  assertReady: AssertReady;
  now: () => number;
  startedAt: number;
}

/** Routes about the server's state. */
export function healthRoutes(parts: HealthRoutesParts): ApiRoute[] {
  const { store, config, assertReady, now, startedAt } = parts;
  return [
    route({
      method: "GET",
      path: "/health",
      permission: "read",
      summary: "Findings of the doctor in the running server, backups, disk and memory",
      response: ServerHealth,
      async answer() {
        const ready = await isReady(assertReady);
        return {
          ready,
          version: VERSION,
          startedAt,
          store: store.file === undefined ? "postgres" : "sqlite",
          findings: await examineServer({ store, config, now: now() }),
          backups: store.file === undefined ? [] : listBackups(config.data),
          memoryBytes: process.memoryUsage.rss(),
          ...(store.file !== undefined && sizesOf(config.data)),
        } satisfies ServerHealth;
      },
    }),
  ];
}

async function isReady(assertReady: AssertReady): Promise<boolean> {
  try {
    await assertReady();
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

/** Empty if the folder is missing. */
function sizesOf(data: string): Pick<ServerHealth, "databaseBytes" | "freeBytes"> {
  if (!isReadableFolder(data)) return {};
  const { bavail, bsize } = statfsSync(data);
  return { databaseBytes: statIfThere(join(data, FILES.database))?.size ?? 0, freeBytes: bavail * bsize };
}
