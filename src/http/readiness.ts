import { ServiceError } from "../domain/errors.ts";
import type { Store } from "../store/interface/store.ts";
import { sharedProbe } from "./shared-probe.ts";

/** Storage is probed that often at most, however often anybody asks. */
const PROBE_EVERY_MS = 1000;

/** Resolves where a message can be stored. @throws ServiceError STORAGE_UNAVAILABLE */
export type AssertReady = () => Promise<void>;

/** Tells whether a server is ready; all who ask share it. The latest write decides, be it a message's or a probe's. */
export function createReadiness(
  store: Pick<Store, "assertWritable"> & { health: Pick<Store["health"], "assertWriting"> },
): AssertReady {
  const probeStorage = sharedProbe(() => store.assertWritable(), PROBE_EVERY_MS);
  return async () => {
    try {
      await probeStorage();
    } catch (error) {
      // Health has noticed it, too, and knows whether a message was written since.
      if (!(error instanceof ServiceError)) throw error;
    }
    store.health.assertWriting();
  };
}
