import { Elysia } from "elysia";
import type { Logger } from "pino";

import {
  defaultPortOf,
  parseHostAndPort,
  parseWebOrigin,
  type WebOrigin,
  type WebScheme,
} from "../../access/web-origin.ts";
import type { Actor } from "../../domain/change.ts";
import { ServiceError } from "../../domain/errors.ts";
import type { RequestId } from "../../domain/ids.ts";
import { runAs } from "../../store/changes/current-actor.ts";
import { storageFailure } from "../../store/sqlite/failure.ts";
import { errorFields, problemOf } from "../errors.ts";
import { type ApiRoute, type Call, type Caller, Reply } from "./frame.ts";
import { linesResponse, progressResponse, type StreamFaults } from "./ndjson.ts";
import { API_PREFIX, operatorOpenApi } from "./openapi.ts";
import { readApiBody, readForm, readParams, readQuery } from "./read-call.ts";

/** Access control. */
export interface Gate {
  /** Rejects all requests if no operator exists. @throws ServiceError NOT_FOUND */
  assertOpen(): Promise<void>;
  /**
   * The caller; undefined without credentials.
   *
   * @throws ServiceError UNAUTHORIZED for invalid ones, with a remedy.
   */
  identify(request: Request, clientAddress: string): Promise<Caller | undefined>;
  /** The message for callers without credentials. */
  invitation(): Promise<string>;
}

/** Facts about a request beyond the request itself. */
export interface ApiRequestFacts {
  requestId: RequestId;
  clientAddress: string;
  /** Lifts the time limit of idle connections for this answer. */
  keepOpen(): void;
}

export interface MountParts {
  gate: Gate;
  log: Pick<Logger, "warn" | "error">;
  factsOf(request: Request): ApiRequestFacts;
  operatorUrl?: string | undefined;
}

/** Headers of every answer; they keep operators' data out of caches and other sites. */
const HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
};

/** The operator API as Elysia routes, with its OpenAPI document. */
export function mountApi(routes: readonly ApiRoute[], parts: MountParts) {
  const app = new Elysia();
  const document = JSON.stringify(operatorOpenApi(routes));
  for (const route of routes) {
    app.route(
      route.method,
      API_PREFIX + route.path,
      ({ request, params }) => answer(route, parts, request, params),
      { parse: "none" },
    );
  }
  return app.get("/api/openapi.json", async () => {
    await parts.gate.assertOpen();
    return new Response(document, { headers: { ...HEADERS, "Content-Type": "application/json" } });
  });
}

async function answer(
  route: ApiRoute,
  parts: MountParts,
  request: Request,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  await parts.gate.assertOpen();
  const facts = parts.factsOf(request);
  const caller = await parts.gate.identify(request, facts.clientAddress);
  await assertAllowed(route, caller, parts.gate);
  // Publishing a large bot or reading a large document takes longer than an idle connection may.
  facts.keepOpen();
  if (route.method !== "GET" && caller?.kind !== "key") assertSameOrigin(request, parts.operatorUrl);
  const call = await readCall(route, parts, { request, params, caller, facts });
  const value = await (caller === undefined
    ? route.answer(call)
    : runAs(actorOf(caller, route), () => route.answer(call)));
  return responseOf(value);
}

async function assertAllowed(route: ApiRoute, caller: Caller | undefined, gate: Gate): Promise<void> {
  const { permission } = route;
  if (permission === "anyone") return;
  if (caller === undefined) throw new ServiceError("UNAUTHORIZED", await gate.invitation());
  if (permission === "signed-in" || caller.permissions.has(permission)) return;
  throw new ServiceError("FORBIDDEN", refusalFor(caller, permission));
}

function refusalFor(caller: Caller, permission: string): string {
  const who = caller.kind === "key" ? "This key" : `The role ${caller.role}`;
  return `${who} does not include \`${permission}\`; an owner can change that.`;
}

/** The author of changes made by the call. */
function actorOf(caller: Caller, { method, path }: ApiRoute): Actor {
  const command = `${method} ${API_PREFIX}${path}`;
  if (caller.kind === "operator") return { kind: "operator", name: caller.name, command };
  return { kind: "key", name: `${caller.label} (${caller.id})`, command };
}

interface Received {
  request: Request;
  params: Readonly<Record<string, string>>;
  caller: Caller | undefined;
  facts: ApiRequestFacts;
}

async function readCall(route: ApiRoute, parts: MountParts, received: Received): Promise<Call> {
  const { request, facts } = received;
  const faults = streamFaults(parts, facts.requestId);
  const { signal } = request;
  return {
    params: readParams(route, received.params),
    query: readQuery(route, request.url),
    body: await readApiBody(route, request),
    // Only routes for anyone are answered without a caller.
    caller: received.caller as Caller,
    request,
    clientAddress: facts.clientAddress,
    signal,
    readForm: () => readForm(route, request),
    progress: (work) => progressResponse(work, signal, faults),
    lines: (rows) => linesResponse(rows, signal, faults),
  };
}

function streamFaults({ log }: MountParts, requestId: RequestId): StreamFaults {
  return {
    describe: (error) => problemOf(storageFailure(error), requestId),
    report: (error) => logOperatorError(log, storageFailure(error), requestId),
  };
}

/** Logs the error of an operator's request. */
export function logOperatorError(log: MountParts["log"], error: unknown, requestId: RequestId): void {
  const fields = { requestId, ...errorFields(error) };
  if (error instanceof ServiceError) log.warn(fields, "operator request refused");
  else log.error(fields, "operator request failed");
}

function responseOf(value: unknown): Response {
  const response = value instanceof Response ? value : jsonResponse(value);
  for (const [name, header] of Object.entries(HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, header);
  }
  return response;
}

function jsonResponse(value: unknown): Response {
  const reply = value instanceof Reply ? value : new Reply(value);
  const { status, etag, headers } = reply.options;
  const own = { ...(etag !== undefined && { ETag: etag }), ...headers };
  if (reply.value === undefined) return new Response(null, { status: status ?? 204, headers: own });
  return Response.json(reply.value, { status: status ?? 200, headers: own });
}

/**
 * Rejects requests that another site makes a browser send with an operator's cookie, or to sign the operator in as somebody else:
 * `Sec-Fetch-Site` must be `same-origin`. If a browser sends none, as over HTTP outside loopback, `Origin` must be the requested address or
 * `operatorUrl`.
 *
 * @throws ServiceError FORBIDDEN
 */
export function assertSameOrigin({ headers }: Request, operatorUrl: string | undefined): void {
  const site = headers.get("sec-fetch-site");
  const isOwn = site === null ? originMatches(headers, operatorUrl) : site === "same-origin";
  if (isOwn) return;
  throw new ServiceError(
    "FORBIDDEN",
    "This request changes data and does not come from the console's own pages; scripts must send a key, with `Authorization: Bearer parley_op_…`.",
    {
      logFields: {
        secFetchSite: site?.slice(0, MAX_LOGGED),
        origin: headers.get("origin")?.slice(0, MAX_LOGGED),
      },
    },
  );
}

const MAX_LOGGED = 260;

/**
 * Port and scheme must match, too. The listener itself uses HTTP; with an HTTPS proxy in front, only the https `operatorUrl` is accepted,
 * because over HTTP an attacker may answer.
 */
function originMatches(headers: Headers, operatorUrl: string | undefined): boolean {
  const origin = parseWebOrigin(headers.get("origin") ?? "");
  if (origin === undefined) return false;
  const own = operatorUrl === undefined ? undefined : parseWebOrigin(new URL(operatorUrl).origin);
  if (own !== undefined && isSame(origin, own)) return true;
  const host = parseHostAndPort(headers.get("host") ?? "");
  if (host === undefined) return false;
  const asked = (scheme: WebScheme) => ({
    scheme,
    host: host.host,
    port: host.port ?? defaultPortOf(scheme),
  });
  if (own !== undefined && isSame(asked(own.scheme), own)) return false;
  return isSame(origin, asked("http"));
}

function isSame(one: WebOrigin, other: WebOrigin): boolean {
  return one.scheme === other.scheme && one.host === other.host && one.port === other.port;
}
