import { retryAfterMs } from "../../client/pause.ts";
import { readEvents } from "../../client/read-events.ts";
import type { ChatRequest, ChatResponse } from "../../domain/chat.ts";

/** The result of sending one message. */
export type Outcome =
  | { kind: "answered"; response: ChatResponse; requestId: string | undefined }
  | { kind: "limited"; retryAfterMs: number }
  | { kind: "capped"; retryAfterMs: number }
  /** No answer: network or service is down. */
  | { kind: "unreachable" }
  | { kind: "stopped" }
  | {
      kind: "failed";
      status: number;
      code: string;
      detail: string;
      requestId?: string | undefined;
      /** Maximum length of a message, which was exceeded. */
      maxLength?: number | undefined;
    };

interface Problem {
  status?: number;
  code?: string;
  detail?: string;
  requestId?: string;
  errors?: readonly { maxLength?: number }[];
}

export interface ChatCall {
  endpoint: string;
  embedToken: string;
  request: Pick<ChatRequest, "botId" | "input"> & { conversationId: string | undefined };
  idempotencyKey: string;
  signal: AbortSignal;
  /** Receives the conversation's id before a streamed answer. */
  onMeta: (conversationId: string) => void;
  /** Receives each piece of a streamed answer. */
  onDelta: (text: string) => void;
}

const DEFAULT_RETRY_AFTER_MS = 5000;

function failure(problem: Problem, status: number, requestId: string | undefined): Outcome {
  const { errors, ...told } = problem;
  const maxLength = errors?.[0]?.maxLength;
  return { code: "INTERNAL_ERROR", detail: "", status, requestId, maxLength, ...told, kind: "failed" };
}

async function readProblem(response: Response, requestId: string | undefined): Promise<Outcome> {
  // A proxy may answer with a page instead of a problem document.
  const problem = (await response.json().catch(() => ({}))) as Problem;
  if (response.status !== 429) return failure(problem, response.status, requestId);
  const kind = problem.code === "MESSAGE_CAP_EXCEEDED" ? "capped" : "limited";
  return { kind, retryAfterMs: retryAfterMs(response.headers) ?? DEFAULT_RETRY_AFTER_MS };
}

/** Reads `meta`, `delta`, `done` and `error`; a stream that ends before `done` counts as unreachable. */
async function readStream(
  body: ReadableStream<Uint8Array>,
  requestId: string | undefined,
  { onMeta, onDelta }: Pick<ChatCall, "onMeta" | "onDelta">,
): Promise<Outcome> {
  for await (const { event, data } of readEvents(body)) {
    const said: unknown = JSON.parse(data);
    if (event === "meta") onMeta((said as ChatResponse).conversationId);
    if (event === "delta") onDelta((said as { text: string }).text);
    if (event === "done") return { kind: "answered", response: said as ChatResponse, requestId };
    if (event === "error") return failure(said as Problem, 500, requestId);
  }
  return { kind: "unreachable" };
}

/** Sends one message; never throws. */
export async function postChat(call: ChatCall): Promise<Outcome> {
  try {
    const response = await fetch(`${call.endpoint}/chat`, {
      method: "POST",
      credentials: "omit",
      signal: call.signal,
      headers: {
        "Content-Type": "application/json",
        Accept: "text/event-stream, application/json;q=0.9",
        Authorization: `Bearer ${call.embedToken}`,
        "Idempotency-Key": call.idempotencyKey,
      },
      body: JSON.stringify(call.request),
    });
    const requestId = response.headers.get("x-request-id") ?? undefined;
    if (!response.ok) return await readProblem(response, requestId);
    if (response.headers.get("content-type")?.startsWith("text/event-stream")) {
      return await readStream(response.body!, requestId, call);
    }
    return { kind: "answered", response: (await response.json()) as ChatResponse, requestId };
  } catch {
    return { kind: call.signal.aborted ? "stopped" : "unreachable" };
  }
}
