import { ServiceError } from "../domain/errors.ts";
import type { Store } from "../store/interface/store.ts";
import type { Endpoint } from "./endpoint.ts";
import { jsonAnswer } from "./every-answer.ts";

/** The parts that the health routes use. */
export interface HealthParts {
  assertReady: AssertReady;
  bots: { readonly size: number };
}

/** GET /healthz: the process is up. GET /readyz: storage can be written and the bots are loaded. */
export function healthEndpoints({ assertReady, bots }: HealthParts): Endpoint[] {
  return [
    { method: "GET", path: "/healthz", answer: () => jsonAnswer({ status: "up" }) },
    {
      method: "GET",
      path: "/readyz",
      async answer() {
        await assertReady();
        return jsonAnswer({ status: "ready", bots: bots.size });
      },
    },
  ];
}

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

/**
 * A probe shared by all callers: it runs at most once per `everyMs`; in between, callers get the latest result or rejection. `nowMs` is a
 * monotonic clock.
 */
export function sharedProbe(
  probe: () => Promise<void>,
  everyMs: number,
  nowMs: () => number = () => performance.now(),
): () => Promise<void> {
  let startedAt = Number.NEGATIVE_INFINITY;
  let outcome: Promise<void>;
  return () => {
    const now = nowMs();
    if (now - startedAt >= everyMs) {
      startedAt = now;
      outcome = probe();
    }
    return outcome;
  };
}
