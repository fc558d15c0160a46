import { openClient } from "../../src/client/client.ts";
import type { ClientOptions } from "../../src/client/public.d.ts";

/** The result of a client's request: an answer, or a network error. */
type Reply = Response | Error;

/** An answer of the service's. */
export const answerBody = {
  conversationId: "cv_1",
  response: "It is on its way.",
  metadata: { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false },
};

export const json = (body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { headers: { "X-Request-Id": "rq_1", ...headers } });

export const problem = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  fields: object = {},
) =>
  Response.json(
    { status, code, detail: `It is ${code}.`, requestId: "rq_p", ...fields },
    { status, headers },
  );

/** A body of server-sent events; `cut` breaks the connection there. */
export function events(...told: (readonly [event: string, data: unknown] | "cut")[]): Response {
  const left = [...told];
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const next = left.shift();
        if (next === undefined) return controller.close();
        if (next === "cut") return controller.error(new TypeError("the connection broke"));
        const [event, data] = next;
        controller.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      },
    },
    // No read-ahead: data that is buffered when a stream fails is lost.
    { highWaterMark: 0 },
  );
  return new Response(body, { headers: { "Content-Type": "text/event-stream", "X-Request-Id": "rq_1" } });
}

/** A client whose requests get `replies`, in order, and whose pauses take no time. */
export function clientThatMeets(replies: readonly Reply[], options: Partial<ClientOptions> = {}) {
  const calls: { url: string; init: RequestInit; key: string | null }[] = [];
  const pauses: number[] = [];
  const client = openClient(
    {
      endpoint: "https://chat.example/",
      token: "parley_st_x",
      botId: "acme",
      fetch: async (url, init) => {
        calls.push({ url, init, key: new Headers(init.headers).get("idempotency-key") });
        const reply = replies[calls.length - 1];
        if (reply === undefined) throw new Error("a request too many");
        if (reply instanceof Error) throw reply;
        return reply;
      },
      ...options,
    },
    { pause: async (milliseconds) => void pauses.push(milliseconds), random: () => 0.5 },
  );
  return { client, calls, pauses };
}
