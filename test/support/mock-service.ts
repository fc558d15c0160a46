import type { EmbedConfig } from "../../src/domain/embed.ts";
import { assetResponder } from "../../src/http/assets.ts";
import { renderDemoPage } from "../../src/http/demo.ts";
import { widgetAssets } from "../../src/widget/assets.ts";

/** A stand-in for the public listener, for states that are rare in a real one. */
export interface MockService extends AsyncDisposable {
  readonly url: string;
  /** Every POST /chat so far. */
  readonly calls: ChatCall[];
  config: (botId: string, url: string) => Partial<EmbedConfig> | Response;
  chat: (call: ChatCall) => Response | Promise<Response>;
  /** HTML of `GET /page`. */
  page: { html: string; headers?: Record<string, string> };
}

export interface ChatCall {
  body: { botId: string; input: string; conversationId?: string };
  idempotencyKey: string | null;
  authorization: string | null;
  accept: string | null;
  signal: AbortSignal;
}

const CORS = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, Last-Event-ID",
  "Access-Control-Expose-Headers": "Retry-After, X-Request-Id, RateLimit, RateLimit-Policy",
  "X-Request-Id": "rq_mock00000000000000000000001",
};

const ALLOWED = { capabilityAllowed: true, schemaEnforced: false, schemaFallbackUsed: false };

function chatResponse(response: string, metadata: Record<string, unknown> = {}) {
  return {
    conversationId: "cv_mock",
    response,
    intentDetected: "orders.status",
    metadata: { ...ALLOWED, ...metadata },
  };
}

/** 200 with a JSON ChatResponse. */
export function answer(response: string, metadata: Record<string, unknown> = {}): Response {
  return Response.json(chatResponse(response, metadata), { headers: CORS });
}

/** A problem document (RFC 9457) with one of the contract's codes. */
export function problem(status: number, code: string, headers: Record<string, string> = {}): Response {
  const body = {
    type: "about:blank",
    title: code,
    status,
    code,
    detail: `${code}.`,
    requestId: CORS["X-Request-Id"],
  };
  return Response.json(body, {
    status,
    headers: { ...CORS, "Content-Type": "application/problem+json", ...headers },
  });
}

interface StreamOptions {
  pauseMs?: number;
  /** Awaited before each piece, instead of the pause. */
  before?: () => Promise<void>;
  last?: { event: string; data: unknown } | "cut";
}

/** 200 with server-sent events: `meta`, one `delta` per piece, then `done`, or the given last event. */
export function stream(
  pieces: readonly string[],
  { pauseMs = 0, before = () => Bun.sleep(pauseMs), last }: StreamOptions = {},
): Response {
  const encoder = new TextEncoder();
  const send = (event: string, data: unknown) =>
    encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(send("meta", { conversationId: "cv_mock", capabilityAllowed: true }));
      for (const text of pieces) {
        await before();
        controller.enqueue(send("delta", { text }));
      }
      if (last === undefined) controller.enqueue(send("done", chatResponse(pieces.join(""))));
      else if (last !== "cut") controller.enqueue(send(last.event, last.data));
      controller.close();
    },
  });
  return new Response(body, { headers: { ...CORS, "Content-Type": "text/event-stream" } });
}

async function handleChat(service: MockService, request: Request): Promise<Response> {
  const authorization = request.headers.get("authorization");
  if (!authorization?.startsWith("Bearer parley_et_")) return problem(401, "UNAUTHORIZED");
  const call: ChatCall = {
    body: (await request.json()) as ChatCall["body"],
    idempotencyKey: request.headers.get("idempotency-key"),
    authorization,
    accept: request.headers.get("accept"),
    signal: request.signal,
  };
  service.calls.push(call);
  return service.chat(call);
}

function handleConfig(service: MockService, url: URL): Response {
  const botId = url.searchParams.get("botId");
  if (botId === null) return problem(400, "INVALID_REQUEST");
  const config = service.config(botId, url.origin);
  if (config instanceof Response) return config;
  const base: EmbedConfig = {
    botName: "Acme Support",
    welcomeMessage: "Hi! I'm Acme Support. How can I help?",
    runtimeEndpoint: url.origin,
    cdnUrl: `${url.origin}/cdn`,
    poweredByRequired: true,
    suggestedQuestions: [],
    suggestedQuestionsStyle: "pills",
  };
  return Response.json({ ...base, ...config }, { headers: { ...CORS, "Cache-Control": "no-store" } });
}

export async function startMockService(): Promise<MockService> {
  const assets = assetResponder(await widgetAssets());
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const url = new URL(request.url);
      if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: CORS });
      if (url.pathname === "/chat") return handleChat(service, request);
      if (url.pathname === "/embed-config") return handleConfig(service, url);
      if (url.pathname === "/page") {
        return new Response(service.page.html, {
          headers: { "Content-Type": "text/html; charset=utf-8", ...service.page.headers },
        });
      }
      if (url.pathname.startsWith("/demo/")) {
        const botId = decodeURIComponent(url.pathname.slice(6));
        const urls = { publicUrl: url.origin, cdnUrl: `${url.origin}/cdn` };
        return renderDemoPage({ botId, botName: "Acme Support", embedToken: "parley_et_mock", ...urls });
      }
      return assets(request) ?? problem(404, "NOT_FOUND");
    },
  });
  const service: MockService = {
    url: server.url.origin,
    calls: [],
    config: () => ({}),
    chat: () => answer("All good."),
    page: { html: "" },
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
  return service;
}
