import { Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import { ModelCheck, ModelRow } from "../../domain/operator/server.ts";
import type { ModelFleet } from "../../model/model-fleet.ts";
import { describeCheck, listModelServers, ModelUsers } from "../../operate/model-rows.ts";
import type { Bots } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { type ApiRoute, allOf, route } from "./frame.ts";

export interface ModelRoutesParts {
  store: Pick<Store, "findBotDocument"> & { bots: Pick<Bots, "outline"> };
  models: ModelFleet;
}

/** Routes of model servers, as this server sees them. */
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
