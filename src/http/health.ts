import type { Endpoint } from "./endpoint.ts";
import { answerHeaders } from "./every-answer.ts";
import type { AssertReady } from "./readiness.ts";

/** The parts that the health routes use. */
export interface HealthParts {
  assertReady: AssertReady;
  bots: { readonly size: number };
}

/** GET /healthz: the process is up. GET /readyz: storage can be written and the bots are loaded. */
export function healthEndpoints({ assertReady, bots }: HealthParts): Endpoint[] {
  return [
    { method: "GET", path: "/healthz", answer: () => statusJson({ status: "up" }) },
    {
      method: "GET",
      path: "/readyz",
      async answer() {
        await assertReady();
        return statusJson({ status: "ready", bots: bots.size });
      },
    },
  ];
}

const HEADERS = answerHeaders({ "Content-Type": "application/json", "Cache-Control": "no-store" });

function statusJson(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: HEADERS });
}
