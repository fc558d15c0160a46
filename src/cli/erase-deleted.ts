import type { Config } from "../config/config.ts";
import { COMMAND_PACE, eraseDeleted } from "../operate/erase-deleted.ts";
import type { Store } from "../store/interface/store.ts";
import { sayRemains } from "./old-copies.ts";
import { Progress } from "./progress.ts";
import type { Terminal } from "./terminal.ts";

/** Erases the remaining data of deleted bots, with progress. If it is interrupted, a server continues. */
export async function eraseDeletedBots(
  store: Pick<Store, "bots" | "erasure">,
  terminal: Terminal,
  config: Pick<Config, "data" | "store">,
): Promise<void> {
  using progress = new Progress(terminal);
  const wiped = await eraseDeleted(store, {
    pace: COMMAND_PACE,
    onStep: ({ id }, share) => progress.report(`erasing remaining data of ${id}`, share),
  });
  if (wiped) sayRemains(terminal, wiped, config);
}
