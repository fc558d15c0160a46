import { answerOf, tellAnswer, type ToldAnswer } from "./answer-stream.ts";
import { follow } from "./follow.ts";
import { invalidResponse, networkError, ParleyError, refusal } from "./parley-error.ts";
import { backoffMs } from "./pause.ts";
import type { CallOptions, ChatOptions, ClientOptions, ParleyClient } from "./public.d.ts";
import { randomKey } from "./random-key.ts";

/** Where time and chance come from. */
export type ClientParts = Pick<RetryParts, "pause" | "random">;

const EVENT_STREAM = "text/event-stream";

/** A client of one bot. @throws TypeError where an option is missing, or `endpoint` is no address of the web. */
export function openClient(settings: ClientOptions, parts: ClientParts): ParleyClient {
  const { endpoint, token, botId } = checked(settings);
  const { fetch = globalThis.fetch, maxRetries = 3, maxRetryDelayMs = 30_000 } = settings;
  const base = endpoint.replace(/\/+$/, "");
  const retryParts = { ...parts, endpoint: base, maxRetries, maxRetryDelayMs };
  const authorization = { Authorization: `Bearer ${token}` };

  async function send(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(base + path, { credentials: "omit", ...init });
    if (!response.ok) throw await refusal(response);
    return response;
  }

  async function retrying<Result>(attempt: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    for (let failures = 0; ; failures += 1) {
      try {
        return await attempt();
      } catch (error) {
        await recover(error, failures, retryParts, signal);
      }
    }
  }

  /** All attempts at a request go under one key. */
  function post(path: string, body: object, { signal, idempotencyKey }: ChatOptions, accept = "*/*") {
    const init: RequestInit = {
      method: "POST",
      headers: {
        ...authorization,
        Accept: accept,
        "Content-Type": "application/json",
        "Idempotency-Key": idempotencyKey ?? randomKey(),
      },
      body: JSON.stringify(body),
      signal: signal ?? null,
    };
    return () => send(path, init);
  }

  const postChat = (input: string, { conversationId, ...rest }: ChatOptions, accept?: string) =>
    post("/chat", { botId, input, conversationId }, rest, accept);

  return {
    chat(input, options = {}) {
      const attempt = postChat(input, options);
      return retrying(async () => {
        const response = await attempt();
        return answerOf(await jsonOf(response), response);
      }, options.signal);
    },
    async *stream(input, options = {}) {
      const attempt = postChat(input, options, EVENT_STREAM);
      const told: ToldAnswer = { text: "" };
      for (let failures = 0; ; failures += 1) {
        try {
          return yield* tellAnswer(await attempt(), told);
        } catch (error) {
          await recover(error, failures, retryParts, options.signal);
        }
      }
    },
    handoff(fields = {}, options = {}) {
      const attempt = post("/handoff", { ...fields, botId }, options);
      return retrying(async () => jsonOf(await attempt()), options.signal);
    },
    async *follow(conversationId, { lastEventId = 0, signal = new AbortController().signal } = {}) {
      const path = `/chat/events?${new URLSearchParams({ botId, conversationId })}`;
      const open = (after: number) => {
        const last = after > 0 ? { "Last-Event-ID": String(after) } : {};
        return fetch(base + path, { credentials: "omit", headers: { ...authorization, ...last }, signal });
      };
      const refused = yield* follow({ ...parts, open }, lastEventId, signal);
      signal.throwIfAborted();
      if (refused) throw await refusal(refused);
    },
    async rate(rating, options = {}) {
      await retrying(post("/feedback", rating, options), options.signal);
    },
    embedConfig({ signal }: CallOptions = {}) {
      const path = `/embed-config?${new URLSearchParams({ botId })}`;
      return retrying(async () => jsonOf(await send(path, { signal: signal ?? null })), signal);
    },
  };
}

/** @param settings anything at all, where no types are checked. */
function checked(settings: ClientOptions | null | undefined): ClientOptions {
  const missing = (["endpoint", "token", "botId"] as const).filter(
    (name) => typeof settings?.[name] !== "string" || !settings[name],
  );
  if (!settings || missing[0]) {
    throw new TypeError(`createClient needs ${missing.map((name) => `\`${name}\``).join(", ")}.`);
  }
  if (!/^https?:/.test(settings.endpoint)) {
    throw new TypeError("`endpoint` has to begin with https:// or http://.");
  }
  return settings;
}

/** @throws ParleyError INVALID_RESPONSE where it is none; whatever a body that breaks off fails with. */
async function jsonOf<Body>(response: Response): Promise<Body> {
  const text = await response.text();
  try {
    return JSON.parse(text) as Body;
  } catch (cause) {
    throw invalidResponse(response, cause);
  }
}

interface RetryParts {
  endpoint: string;
  maxRetries: number;
  maxRetryDelayMs: number;
  pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
}

/**
 * Waits until an attempt that failed may be made again: at least as long as the service asks for.
 *
 * @param failures attempts that failed before.
 * @throws ParleyError where another attempt cannot help, would come too late, or is one too many; the reason of `signal`.
 */
async function recover(
  error: unknown,
  failures: number,
  { endpoint, maxRetries, maxRetryDelayMs, pause, random }: RetryParts,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const failure = error instanceof ParleyError ? error : networkError(endpoint, error);
  const { isRetryable, retryAfterMs = 0 } = failure;
  if (!isRetryable || failures >= maxRetries || retryAfterMs > maxRetryDelayMs) throw failure;
  await pause(Math.min(maxRetryDelayMs, retryAfterMs + backoffMs(failures, random)), signal);
  signal?.throwIfAborted();
}
