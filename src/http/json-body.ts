import { type FieldFault, ServiceError } from "../domain/errors.ts";

/** A body as JSON. @throws ServiceError INVALID_REQUEST, with status 413 for more than `maxBytes`. */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  const body = await readBody(request, maxBytes);
  refuseOtherMediaTypes(request.headers.get("content-type"));
  return parseJson(decodeUtf8(body));
}

/** The bytes of a body. @throws ServiceError INVALID_REQUEST, with status 413 for more than `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array> {
  try {
    return await readBytes(request, maxBytes);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    throw invalid("The connection was closed before the whole body had arrived.", [], error);
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  const announced = request.headers.get("content-length");
  if (Number(announced) > maxBytes) throw tooLarge(maxBytes);
  // The server enforces the announced length; reading at once is faster than a stream.
  if (announced !== null) return request.bytes();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError("INVALID_REQUEST", `The request body is larger than ${maxBytes / 1024} KiB.`, {
    status: 413,
  });
}

function refuseOtherMediaTypes(contentType: string | null): void {
  if (contentType === "application/json") return;
  const [mediaType = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  const charset = parameters.map((parameter) => parameter.trim()).find((text) => text.startsWith("charset="));
  const isUtf8 = charset === undefined || /^charset="?utf-?8"?$/.test(charset);
  if (mediaType.trim() === "application/json" && isUtf8) return;
  throw invalid("Send the body as JSON in UTF-8, with the header `Content-Type: application/json`.");
}

/** Keeps no state between texts without a stream, also after an error. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

function decodeUtf8(body: Uint8Array): string {
  try {
    return UTF8.decode(body);
  } catch (cause) {
    throw invalid("The request body is not valid UTF-8.", [], cause);
  }
}

/** Deepest nesting that is parsed quickly. */
const MAX_LEVELS = 10_000;
/** Characters outside strings; larger bodies have one long string. */
const MAX_OUTSIDE = 64 * 1024;

/** Parsing 12 MB of brackets takes a gigabyte and several seconds, in which no visitor is answered. */
function refuseComplex(text: string): void {
  let open = 0;
  let outside = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfText(text, at);
    else if (character === "[" || character === "{") open++;
    else if (character === "]" || character === "}") open--;
    if (open > MAX_LEVELS) throw invalid(`The request body nests more than ${MAX_LEVELS} levels deep.`);
    if (++outside > MAX_OUTSIDE) throw invalid("The request body holds too many values.");
  }
}

/** Position of the quote that ends the string starting at `start`, or the end. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === "\\") escapes++;
    if (escapes % 2 === 0) return at;
  }
  return text.length;
}

function parseJson(text: string): unknown {
  refuseComplex(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw invalid("The request body is not valid JSON.", [], cause);
  }
}

/** The error for a body with faults. */
export function invalidBody(faults: readonly FieldFault[]): ServiceError {
  return invalid(`The request body is not valid: ${faults.map(describeFault).join("; ")}.`, faults);
}

export function describeFault({ pointer, detail }: FieldFault): string {
  return `${pointer === "" ? "it" : `\`${pointer.slice(1)}\``} ${detail}`;
}

/** Texts that cannot be stored or shown, whatever the schema allows. */
export function textFault(text: string): string | undefined {
  if (!text.isWellFormed()) return "must be valid Unicode, without lone surrogates";
  return text.includes("\0") ? "must not contain NUL characters" : undefined;
}

/** A refusal of what was sent. */
export function invalid(message: string, errors: readonly FieldFault[] = [], cause?: unknown): ServiceError {
  return new ServiceError("INVALID_REQUEST", message, { cause, ...(errors.length > 0 && { errors }) });
}
