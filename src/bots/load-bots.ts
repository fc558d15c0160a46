import type { Logger } from "pino";

import { modelServersOf } from "../domain/responder.ts";
import type { ModelFleet } from "../model/model-fleet.ts";
import type { Bots, StoredBot } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import type { BotRegistry } from "./registry.ts";
import { trainBots } from "./training.ts";

/** The parts that `loadBots` uses. */
export interface LoadBotsParts {
  store: Pick<Store, "hasIntentModel"> & { bots: Pick<Bots, "setModels"> };
  bots: Pick<BotRegistry, "reload" | "all">;
  models: Pick<ModelFleet, "find">;
  log: Pick<Logger, "info" | "warn">;
}

/** Loads the bots as they are stored, trains those that no `seed` of this version has trained, and warns of those that cannot answer well. */
export async function loadBots(parts: LoadBotsParts): Promise<void> {
  const untrained = await parts.bots.reload();
  if (untrained.length > 0) await train(parts, untrained);
  warnOfUnknownServers(parts);
  warnOfUnsafeSchemas(parts);
}

async function train({ store, bots, log }: LoadBotsParts, untrained: readonly StoredBot[]): Promise<void> {
  log.info({ bots: untrained.length }, "training intent models");
  const trained = await trainBots(
    store,
    untrained.map((stored) => stored.document),
  );
  await store.bots.setModels(trained, new Map(untrained.map((stored) => [stored.id, stored.version])));
  await bots.reload();
}

/** A bot whose servers are not configured would otherwise show it only to its first visitor. */
function warnOfUnknownServers({ bots, models, log }: Omit<LoadBotsParts, "store">): void {
  for (const { id, document } of bots.all()) {
    const unknown = [...modelServersOf(document)].filter((name) => !models.find(name));
    if (unknown.length > 0)
      log.warn({ botId: id, servers: unknown }, "bot names model servers that are not configured");
  }
}

/** Seeded by an earlier version, which took the schema: the bot goes on, and answers with its fallback. */
function warnOfUnsafeSchemas({ bots, log }: Pick<LoadBotsParts, "bots" | "log">): void {
  for (const { id, outputFaults } of bots.all()) {
    if (outputFaults.length === 0) continue;
    log.warn(
      { botId: id, faults: outputFaults },
      "an output schema is not safe to check: its answers are replaced by the fallback until the bot is seeded with another",
    );
  }
}
