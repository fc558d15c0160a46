import { Value } from "@sinclair/typebox/value";

import { ChatRequest } from "../domain/chat.ts";
import type { FieldFault } from "../domain/errors.ts";
import { isJsonObject } from "../domain/json-object.ts";
import { invalidBody, readJson, textFault } from "./json-body.ts";

/** Largest body of POST /chat, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

const FIELDS = ["botId", "input", "conversationId"] as const;
/** Whitespace and invisible characters only: an empty message. */
const NOTHING_VISIBLE = /^[\s\p{Cf}\u{115F}\u{1160}\u{3164}\u{FFA0}]*$/u;

/**
 * Checks 4 and 5 of “Order of checks” in docs/api.md: the body's size, then its form. Unknown fields are ignored.
 *
 * @throws ServiceError INVALID_REQUEST, with status 413 for more than {@link MAX_BODY_BYTES}.
 */
export async function readChatRequest(request: Request): Promise<ChatRequest> {
  const value = await readJson(request, MAX_BODY_BYTES);
  const fields = knownFields(value);
  const faults = fields === undefined ? [NO_OBJECT] : findFaults(fields);
  if (faults.length > 0) throw invalidBody(faults);
  return fields as ChatRequest;
}

const NO_OBJECT: FieldFault = { pointer: "", detail: "must be a JSON object with `botId` and `input`" };

/** Keeps only known fields. */
function knownFields(value: unknown): Record<string, unknown> | undefined {
  if (!isJsonObject(value)) return undefined;
  const given = FIELDS.filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(given.map((name) => [name, value[name]]));
}

function findFaults(fields: Record<string, unknown>): FieldFault[] {
  return FIELDS.flatMap((name) => {
    const detail = faultOf(name, fields[name]);
    return detail === undefined ? [] : [{ pointer: `/${name}`, detail }];
  });
}

function faultOf(name: (typeof FIELDS)[number], value: unknown): string | undefined {
  if (value === undefined) return name === "conversationId" ? undefined : "is required";
  if (typeof value !== "string") return "must be a string";
  if (!Value.Check(ChatRequest.properties[name], value)) return "must not be empty";
  if (name === "input" && NOTHING_VISIBLE.test(value)) return "must not be blank";
  return textFault(value);
}

/**
 * Whether the request was answered before its long body was read: more than {@link MAX_BODY_BYTES}, or of unknown length. The connection
 * then has to be closed, because Bun would receive the rest as long as the client sends.
 */
export function leavesLongBody({ headers, bodyUsed }: Request, status: number): boolean {
  if (status === 413) return true;
  if (bodyUsed) return false;
  return Number(headers.get("content-length")) > MAX_BODY_BYTES || headers.has("transfer-encoding");
}
