import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { PublicAddresses } from "../config/addresses.ts";
import { ChatRequest, ChatResponse } from "../domain/chat.ts";
import { EmbedConfig } from "../domain/embed.ts";
import { VERSION } from "../domain/version.ts";
import { Problem } from "./errors.ts";

/** GET /openapi.json: OpenAPI 3.1, whose schemas are the wire shapes themselves. */
export function openApiRoute({ addresses }: { addresses: () => PublicAddresses }) {
  return new Elysia().get("/openapi.json", () => {
    return new Response(JSON.stringify(openApiDocument(addresses().publicUrl)), {
      headers: { "Content-Type": "application/json", "Cache-Control": "public, max-age=60" },
    });
  });
}

function openApiDocument(serverUrl: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Parley",
      version: VERSION,
      description: "Talk to a configured bot that stays within its Capability Profile.",
    },
    servers: [{ url: serverUrl }],
    paths: { "/chat": { post: CHAT }, "/embed-config": { get: EMBED_CONFIG } },
    components: {
      securitySchemes: {
        embedToken: { type: "http", scheme: "bearer", description: "An embed token, `parley_et_…`" },
      },
      schemas: {
        ChatRequest: withoutIds(ChatRequest),
        ChatResponse: withoutIds(ChatResponse),
        EmbedConfig: withoutIds(EmbedConfig),
        Problem: withoutIds(Problem),
      },
    },
  };
}

const CHAT = {
  operationId: "chat",
  summary: "Send a message to a bot",
  security: [{ embedToken: [] }],
  parameters: [
    {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "A retry with the same key, token and body within 24 hours gets the first answer again",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    },
  ],
  requestBody: { required: true, content: jsonOf("ChatRequest") },
  responses: {
    200: {
      description: "The bot's answer; as server-sent events where `Accept` names text/event-stream",
      headers: rateLimitHeaders(),
      content: { ...jsonOf("ChatResponse"), ...eventStream() },
    },
    ...problems({
      400: "INVALID_REQUEST: missing or malformed request body",
      401: "UNAUTHORIZED: missing or invalid token",
      403: "FORBIDDEN: domain not allowed for this bot",
      404: "NOT_FOUND: bot not found",
      413: "INVALID_REQUEST: the body is larger than 64 KiB",
      422: "INVALID_REQUEST: the Idempotency-Key was used for another message",
      429: "RATE_LIMITED: too many requests; MESSAGE_CAP_EXCEEDED: monthly message cap reached",
      502: "MODEL_ERROR: the model server failed",
      503: "OVERLOADED: too many messages are being answered; STORAGE_UNAVAILABLE: the message could not be stored",
      504: "MODEL_TIMEOUT: the model server took too long",
    }),
  },
};

const EMBED_CONFIG = {
  operationId: "embedConfig",
  summary: "What the widget of a bot looks like",
  parameters: [
    { name: "botId", in: "query", required: true, description: "The agent ID", schema: { type: "string" } },
  ],
  responses: {
    200: { description: "The widget's configuration", content: jsonOf("EmbedConfig") },
    304: { description: "Not modified since the ETag of If-None-Match" },
    ...problems({
      400: "INVALID_REQUEST: the query parameter botId is missing",
      404: "NOT_FOUND: bot not found or bot is disabled",
    }),
  },
};

function jsonOf(schema: string, mediaType = "application/json") {
  return { [mediaType]: { schema: { $ref: `#/components/schemas/${schema}` } } };
}

function eventStream() {
  const description =
    "`meta` (conversationId, intentDetected, capabilityAllowed), `delta` ({text}) for each piece, `done` (the ChatResponse), or `error` (a Problem)";
  return { "text/event-stream": { schema: { type: "string", description } } };
}

function problems(descriptions: Readonly<Record<number, string>>) {
  return Object.fromEntries(
    Object.entries(descriptions).map(([status, description]) => [
      status,
      { description, content: jsonOf("Problem", "application/problem+json") },
    ]),
  );
}

function rateLimitHeaders() {
  const schema = { type: "string" };
  return {
    "RateLimit-Policy": { description: "Capacity and window of the caller's token bucket", schema },
    RateLimit: { description: "What is left in it", schema },
    "X-Request-Id": { description: "Names this request in the log", schema },
  };
}

/** TypeBox's ids name schemas inside the code; in a document they would move the base of every reference. */
function withoutIds(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "$id" ? undefined : value)));
}
