import type { Logger } from "pino";

import { modelServersOf } from "../domain/responder.ts";
import type { ModelFleet } from "../model/model-fleet.ts";
import type { BotStore } from "../store/bots.ts";
import type { Store } from "../store/store.ts";
import type { BotRegistry } from "./registry.ts";
import { trainBots } from "./training.ts";

/** The parts that `loadBots` uses. */
export interface LoadBotsParts {
  store: Pick<Store, "hasIntentModel"> & { bots: Pick<BotStore, "setModels"> };
  bots: Pick<BotRegistry, "reload" | "all">;
  models: Pick<ModelFleet, "find">;
  log: Pick<Logger, "info" | "warn">;
}

/** Loads the bots as they are stored, and trains those that no `seed` of this version has trained. */
export async function loadBots({ store, bots, models, log }: LoadBotsParts): Promise<void> {
  const untrained = bots.reload();
  warnOfUnknownServers({ bots, models, log });
  if (untrained.length === 0) return;
  log.info({ bots: untrained.length }, "training intent models");
  const trained = await trainBots(
    store,
    untrained.map((stored) => stored.document),
  );
  store.bots.setModels(trained, new Map(untrained.map((stored) => [stored.id, stored.version])));
  bots.reload();
}

/** A bot whose servers are not configured would otherwise show it only to its first visitor. */
function warnOfUnknownServers({ bots, models, log }: Omit<LoadBotsParts, "store">): void {
  for (const { id, document } of bots.all()) {
    const unknown = [...modelServersOf(document)].filter((name) => !models.find(name));
    if (unknown.length > 0)
      log.warn({ botId: id, servers: unknown }, "bot names model servers that are not configured");
  }
}
