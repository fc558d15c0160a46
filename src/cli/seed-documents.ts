import { trainBots } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import type { SeedOptions, SeedOutcome } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import { Progress, reportTraining } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** Trains what is new, with progress where it takes long, and stores all documents or none. */
export async function seedDocuments(
  store: Store,
  terminal: Terminal,
  documents: readonly BotDocument[],
  options: SeedOptions,
): Promise<SeedOutcome[]> {
  if (options.dryRun) return store.bots.seed(documents, options);
  using progress = new Progress(terminal);
  const models = await trainBots(store, documents, reportTraining(progress));
  return store.bots.seed(documents, options, models);
}
