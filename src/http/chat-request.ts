import { Value } from "@sinclair/typebox/value";

import { ChatRequest } from "../domain/chat.ts";
import { type FieldFault, ServiceError } from "../domain/errors.ts";
import { isJsonObject } from "../domain/json-object.ts";

/** Largest body of POST /chat, in bytes (decisions §2). */
export const MAX_BODY_BYTES = 64 * 1024;

const FIELDS = ["botId", "input", "conversationId"] as const;
/** Whitespace, and what shows as nothing: a message of only these says nothing. */
const NOTHING_VISIBLE = /^[\s\p{Cf}\u{115F}\u{1160}\u{3164}\u{FFA0}]*$/u;

/**
 * Checks 4 and 5 of decisions §2: the body's size, then its form. Unknown fields are ignored.
 *
 * @throws ServiceError INVALID_REQUEST, with status 413 for more than {@link MAX_BODY_BYTES}.
 */
export async function readChatRequest(request: Request): Promise<ChatRequest> {
  const body = await readBody(request);
  refuseOtherMediaTypes(request.headers.get("content-type"));
  const value = parseJson(decodeUtf8(body));
  const fields = knownFields(value);
  const faults = fields === undefined ? [NO_OBJECT] : findFaults(fields);
  if (faults.length > 0) {
    throw invalid(`The request body is not valid: ${faults.map(describeFault).join("; ")}.`, faults);
  }
  return fields as ChatRequest;
}

async function readBody(request: Request): Promise<Uint8Array> {
  try {
    return await readBytes(request);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw invalid("The connection was closed before the whole body had arrived.", [], error);
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > MAX_BODY_BYTES) throw tooLarge();
  // The server holds the body to its announced length; this spares a stream for every message.
  if (announced !== null) return request.bytes();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function tooLarge(): ServiceError {
  return new ServiceError(
    "INVALID_REQUEST",
    `The request body is larger than ${MAX_BODY_BYTES / 1024} KiB.`,
    {
      status: 413,
    },
  );
}

function refuseOtherMediaTypes(contentType: string | null): void {
  if (contentType === "application/json") return;
  const [mediaType = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((text) => text.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (mediaType.trim() === "application/json" && isUtf8) return;
  throw invalid("Send the body as JSON in UTF-8, with the header `Content-Type: application/json`.");
}

/** Without a stream, it keeps nothing from one text to the next, also where it throws. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch (cause) {
    throw invalid("The request body is not valid UTF-8.", [], cause);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid("The request body is not valid JSON.", [], cause);
  }
}

const NO_OBJECT: FieldFault = { pointer: "", detail: "must be a JSON object with `botId` and `input`" };

/** Nothing else of a body goes any further. */
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
  if (!value.isWellFormed()) return "must be valid Unicode, without lone surrogates";
  if (value.includes("\0")) return "must not contain NUL characters";
  if (name === "input" && NOTHING_VISIBLE.test(value)) return "must not be blank";
  return undefined;
}

function describeFault({ pointer, detail }: FieldFault): string {
  return `${pointer === "" ? "it" : `\`${pointer.slice(1)}\``} ${detail}`;
}

function invalid(message: string, errors: readonly FieldFault[] = [], cause?: unknown): ServiceError {
  return new ServiceError("INVALID_REQUEST", message, { cause, ...(errors.length > 0 && { errors }) });
}
