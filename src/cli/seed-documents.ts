import { trainBots } from "../bots/training.ts";
import type { BotDocument } from "../domain/bot.ts";
import { forgetDocuments } from "../operate/forget-documents.ts";
import type { SeedOptions, SeedOutcome } from "../store/interface/bots.ts";
import type { Store } from "../store/interface/store.ts";
import { Progress, reportTraining } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** In small steps, as bots are deleted in the transaction that stores the others. */
async function forgetPruned(
  store: Store,
  documents: readonly BotDocument[],
  { prune }: SeedOptions,
): Promise<void> {
  if (prune === false) return;
  const others = await store.bots.listOthers(documents);
  for (const { id, key } of others)
    if (prune === true || prune.includes(id)) await forgetDocuments(store, key);
}

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
  await forgetPruned(store, documents, options);
  return store.bots.seed(documents, options, models);
}
