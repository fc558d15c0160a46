import type { Store } from "../store/store.ts";
import type { Endpoint } from "./endpoint.ts";
import { sharedProbe } from "./shared-probe.ts";

/** Storage is written that often at most, however often anybody asks. */
const PROBE_EVERY_MS = 1000;

/** What the health routes look at. */
export interface HealthParts {
  store: Pick<Store, "assertWritable" | "health">;
  bots: { readonly size: number };
}

/** GET /healthz: the process is up. GET /readyz: storage can be written and the bots are loaded. */
export function healthEndpoints({ store, bots }: HealthParts): Endpoint[] {
  const probeStorage = sharedProbe(() => store.assertWritable(), PROBE_EVERY_MS);
  return [
    { method: "GET", path: "/healthz", answer: () => statusJson({ status: "up" }) },
    {
      method: "GET",
      path: "/readyz",
      async answer() {
        await probeStorage();
        // What failed since the latest probe counts at once.
        store.health.assertSound();
        return statusJson({ status: "ready", bots: bots.size });
      },
    },
  ];
}

const HEADERS = new Headers({ "Content-Type": "application/json", "Cache-Control": "no-store" });

function statusJson(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: HEADERS });
}
