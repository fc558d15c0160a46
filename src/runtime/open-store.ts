import type { Store } from "../store/interface/store.ts";
import type { LeaseTimes } from "../store/lease-observer.ts";
import type { OnUpgrade } from "../store/on-upgrade.ts";

/** Parts that tests replace. */
export interface ServerStoreParts {
  /** How servers on one store detect that one of them is gone. */
  lease?: LeaseTimes;
  /** When the database is first checked for damage, after the start. */
  firstCheckAfterMs?: number;
  /** Gets the progress of an upgrade of the store; default: the log. */
  onUpgrade?: OnUpgrade;
  /** Names the network file system that a folder is on. */
  fileSystemOf?: (folder: string) => string | undefined;
}

/** The store of a server, and what its engine needs while the server runs. */
export interface ServerStore {
  store: Store;
  /** Begins what the engine needs. @returns how to stop each. */
  tend: () => (() => void)[];
}
