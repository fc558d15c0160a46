import { Elysia } from "elysia";

import type { Runtime } from "../runtime.ts";

/** The operator listener: `/metrics` in the Prometheus text format. Never public by default. */
export function createOperatorApp({
  metrics,
}: Pick<Runtime, "metrics">): (request: Request) => Promise<Response> {
  const app = new Elysia().get(
    "/metrics",
    async () => new Response(await metrics.expose(), { headers: { "Content-Type": metrics.contentType } }),
  );
  return async (request) => app.handle(request);
}
