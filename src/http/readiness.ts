import type { Store } from "../store/interface/store.ts";
import { sharedProbe } from "./shared-probe.ts";

/** Storage is written that often at most, however often anybody asks. */
const PROBE_EVERY_MS = 1000;

/** Resolves where a message can be stored. @throws ServiceError STORAGE_UNAVAILABLE */
export type AssertReady = () => Promise<void>;

/** Tells whether a server is ready; all who ask share it. */
export function createReadiness(store: Pick<Store, "assertWritable" | "health">): AssertReady {
  const probeStorage = sharedProbe(() => store.assertWritable(), PROBE_EVERY_MS);
  return async () => {
    await probeStorage();
    // What failed since the latest probe counts at once.
    store.health.assertSound();
  };
}
