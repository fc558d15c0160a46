import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { clientAddress, type TrustedProxies } from "../access/client-address.ts";
import { rateLimitHeaders } from "../access/rate-limiter.ts";
import type { IncomingRequest } from "../chat/admission/admit.ts";
import type { FieldFault } from "../domain/errors.ts";
import { isJsonObject } from "../domain/json-object.ts";
import { MAX_BODY_BYTES } from "./chat-request.ts";
import { answerHeaders } from "./every-answer.ts";
import { invalidBody, readJson, textFault } from "./json-body.ts";
import type { Connections, RequestContext } from "./request-context.ts";

/** The parts that requests of visitors use beside those of POST /chat. */
export interface VisitorParts {
  trustedProxies: TrustedProxies;
  connections: Connections;
}

/** A request of a visitor to a bot, before any checks. */
export function visitorRequest<Body extends { botId: string }>(
  { trustedProxies, connections }: VisitorParts,
  context: RequestContext,
  readBody: () => Promise<Body>,
): IncomingRequest<Body> {
  const { headers } = context.request;
  const peer = connections.peerOf(context.received);
  return {
    authorization: headers.get("authorization"),
    clientAddress: clientAddress(peer, headers.get("x-forwarded-for"), trustedProxies),
    source: { origin: headers.get("origin"), referer: headers.get("referer") },
    isFromBrowser: () => isFromBrowser(headers),
    readBody,
    onBucket: (limit, state) => {
      context.headers = rateLimitHeaders(limit, state);
    },
  };
}

/**
 * Browsers send `Origin` or several `Sec-Fetch-…` headers with every request of a page (Fetch standard). A lone `Sec-Fetch-Mode: cors`
 * comes from Node's `fetch`; browsers never send it without `Sec-Fetch-Site`.
 */
function isFromBrowser(headers: Headers): boolean {
  return [...headers].some(
    ([name, value]) =>
      name === "origin" ||
      (name.startsWith("sec-fetch-") && !(name === "sec-fetch-mode" && value === "cors")),
  );
}

/**
 * The fields of a schema from a request's body; others are ignored. Blank optional texts count as absent.
 *
 * @throws ServiceError INVALID_REQUEST
 */
export async function readFields<Schema extends TObject>(
  request: Request,
  schema: Schema,
): Promise<Static<Schema>> {
  const value = await readJson(request, MAX_BODY_BYTES);
  if (!isJsonObject(value)) throw invalidBody([{ pointer: "", detail: "must be a JSON object" }]);
  const names = Object.keys(schema.properties).filter((name) => isGiven(value, name, schema));
  const fields = Object.fromEntries(names.map((name) => [name, value[name]]));
  const faults = [...shapeFaults(schema, fields), ...textFaults(fields)];
  if (faults.length > 0) throw invalidBody(faults);
  return fields;
}

function isGiven(value: Record<string, unknown>, name: string, schema: TObject): boolean {
  if (!Object.hasOwn(value, name)) return false;
  const text = value[name];
  const isRequired = schema.required?.includes(name) ?? false;
  return isRequired || typeof text !== "string" || text.trim() !== "";
}

function shapeFaults(schema: TObject, fields: Record<string, unknown>): FieldFault[] {
  const byPointer = new Map<string, string>();
  for (const { path, message, schema: wanted } of Value.Errors(schema, fields)) {
    if (!byPointer.has(path)) byPointer.set(path, inWords(message, wanted));
  }
  return [...byPointer].map(([pointer, detail]) => ({ pointer, detail }));
}

/** "Expected string length less or equal to 200" → "must have a string length less or equal to 200". */
function inWords(message: string, wanted: TSchema): string {
  if (message === "Expected required property") return "is required";
  const choice = literalsInWords(wanted);
  if (choice !== undefined) return choice;
  return message.replace(/^Expected string length/, "must have a length").replace(/^Expected/, "must be");
}

/** Of a choice among literals: `must be "up" or "down"`. */
function literalsInWords({ anyOf }: TSchema): string | undefined {
  const literals = (anyOf as TSchema[] | undefined)?.map((each) => each["const"] as unknown);
  if (!literals || literals.includes(undefined)) return undefined;
  const last = JSON.stringify(literals.at(-1));
  const others = literals.slice(0, -1).map((literal) => JSON.stringify(literal));
  return `must be ${others.length > 0 ? `${others.join(", ")} or ` : ""}${last}`;
}

function textFaults(fields: Record<string, unknown>): FieldFault[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const detail = typeof value === "string" ? textFault(value) : undefined;
    return detail === undefined ? [] : [{ pointer: `/${name}`, detail }];
  });
}

export function noContent(): Response {
  return new Response(null, { status: 204, headers: answerHeaders({ "Cache-Control": "no-store" }) });
}
