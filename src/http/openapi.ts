import type { TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";

import type { PublicAddresses } from "../config/addresses.ts";
import { ChatRequest, ChatResponse } from "../domain/chat.ts";
import { EmbedConfig } from "../domain/embed.ts";
import { FeedbackRequest } from "../domain/feedback.ts";
import { HandoffRequest, HandoffResponse } from "../domain/handoff.ts";
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
    paths: {
      "/chat": { post: CHAT },
      "/embed-config": { get: EMBED_CONFIG },
      "/feedback": { post: FEEDBACK },
      "/handoff": { post: HANDOFF },
    },
    components: {
      securitySchemes: {
        embedToken: { type: "http", scheme: "bearer", description: "An embed token, `parley_et_…`" },
      },
      schemas: {
        ChatRequest: withoutIds(ChatRequest),
        ChatResponse: withoutIds(ChatResponse),
        EmbedConfig: withoutIds(EmbedConfig),
        FeedbackRequest: withoutIds(FeedbackRequest),
        HandoffRequest: withoutIds(HandoffRequest),
        HandoffResponse: withoutIds(HandoffResponse),
        Problem: withoutIds(Problem),
      },
    },
  };
}

const REFUSALS = {
  400: "INVALID_REQUEST: missing or malformed request body",
  401: "UNAUTHORIZED: missing or invalid token",
  403: "FORBIDDEN: domain not allowed for this bot",
  413: "INVALID_REQUEST: the body is larger than 64 KiB",
  429: "RATE_LIMITED: too many requests",
  503: "STORAGE_UNAVAILABLE: it could not be stored",
};

const CHAT = {
  operationId: "chat",
  summary: "Send a message to a bot",
  security: [{ embedToken: [] }],
  parameters: [idempotencyKey("message")],
  requestBody: { required: true, content: jsonOf("ChatRequest") },
  responses: {
    200: {
      description: "The bot's answer; as server-sent events where `Accept` names text/event-stream",
      headers: rateLimitHeaders(),
      content: { ...jsonOf("ChatResponse"), ...eventStream() },
    },
    ...problems({
      ...REFUSALS,
      404: "NOT_FOUND: bot not found",
      422: "INVALID_REQUEST: the Idempotency-Key was used for another message",
      429: "RATE_LIMITED: too many requests; MESSAGE_CAP_EXCEEDED: monthly message cap reached",
      502: "MODEL_ERROR: the model server failed",
      503: "OVERLOADED: too many messages are being answered; STORAGE_UNAVAILABLE: the message could not be stored",
      504: "MODEL_TIMEOUT: the model server took too long",
    }),
  },
};

const FEEDBACK = {
  operationId: "feedback",
  summary: "Say whether an answer helped",
  security: [{ embedToken: [] }],
  requestBody: { required: true, content: jsonOf("FeedbackRequest") },
  responses: {
    204: { description: "Stored; replaces an earlier rating of the same answer" },
    ...problems({ ...REFUSALS, 404: "NOT_FOUND: there is no such answer" }),
  },
};

const HANDOFF = {
  operationId: "handoff",
  summary: "Ask for a person",
  security: [{ embedToken: [] }],
  parameters: [idempotencyKey("hand-off")],
  requestBody: { required: true, content: jsonOf("HandoffRequest") },
  responses: {
    200: { description: "Stored; a conversation has one at a time", content: jsonOf("HandoffResponse") },
    ...problems({
      ...REFUSALS,
      403: "FORBIDDEN: domain not allowed for this bot, or the bot has no hand-off",
      404: "NOT_FOUND: bot not found",
      422: "INVALID_REQUEST: the Idempotency-Key was used for another hand-off",
    }),
  },
};

const EMBED_CONFIG = {
  operationId: "embedConfig",
  summary: "The configuration of a bot's widget",
  parameters: [
    { name: "botId", in: "query", required: true, description: "The agent ID", schema: { type: "string" } },
    {
      name: "locale",
      in: "query",
      required: false,
      description:
        "The visitor's language, a BCP 47 tag; one that the bot's `texts` do not word gets the bot's own",
      schema: { type: "string" },
    },
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
    RateLimit: { description: "Remaining messages in the caller's token bucket", schema },
    "X-Request-Id": {
      description:
        "Names this request in the log, and the turn of a message; that of the first answer where an Idempotency-Key gets it again",
      schema,
    },
  };
}

/** TypeBox's ids name schemas inside the code; in a document they would move the base of every reference. */
function withoutIds(schema: TSchema): unknown {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === "$id" ? undefined : value)));
}

function idempotencyKey(what: string) {
  return {
    name: "Idempotency-Key",
    in: "header",
    required: false,
    description: `A retry with the same key, token and body ${what === "message" ? "within 24 hours " : ""}gets the first answer again; without a conversationId, one of fewer than 16 characters from the same client address only`,
    schema: { type: "string", minLength: 1, maxLength: 255 },
  };
}
