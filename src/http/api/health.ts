import { statfsSync } from "node:fs";
import { join } from "node:path";

import { Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import { ModelCheck, ModelRow, ServerHealth } from "../../domain/operator/server.ts";
import { VERSION } from "../../domain/version.ts";
import type { ModelFleet } from "../../model/model-fleet.ts";
import { listBackups } from "../../operate/doctor/backups.ts";
import { FILES, isReadableFolder } from "../../operate/doctor/examine-folder.ts";
import { examineServer, type ServerPatient } from "../../operate/doctor/examine-server.ts";
import { describeCheck, listModelServers, ModelUsers } from "../../operate/model-rows.ts";
import type { Bots, Store } from "../../store/interface/store.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import type { AssertReady } from "../health.ts";
import { allOf, type ApiRoute, route } from "./frame.ts";

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
  return { databaseBytes: lookAtPath(join(data, FILES.database))?.size ?? 0, freeBytes: bavail * bsize };
}

export interface ModelRoutesParts {
  store: Pick<Store, "findBotDocument"> & { bots: Pick<Bots, "outline"> };
  models: ModelFleet;
}

/** Routes that list and test the configured model servers. */
export function modelRoutes({ store, models }: ModelRoutesParts): ApiRoute[] {
  const users = new ModelUsers(store);
  return [
    route({
      method: "GET",
      path: "/models",
      permission: "read",
      summary: "Configured model servers, with the results of their calls",
      response: allOf(ModelRow),
      answer: async () => ({ items: listModelServers(models, await users.list()) }),
    }),
    route({
      method: "POST",
      path: "/models/:name/check",
      permission: "models.check",
      summary: "Test a model server with one call of each kind that Parley may make",
      params: Type.Object({ name: Type.String({ maxLength: 200 }) }),
      response: ModelCheck,
      async answer({ params: { name } }) {
        const server = models.find(name);
        if (!server) throw new ServiceError("NOT_FOUND", "No model server of this name is configured.");
        const startedAt = performance.now();
        const report = await server.check();
        return { ...describeCheck(report), milliseconds: Math.round(performance.now() - startedAt) };
      },
    }),
  ];
}
