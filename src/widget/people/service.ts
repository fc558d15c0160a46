import type { FeedbackRequest } from "../../domain/feedback.ts";
import type { HandoffRequest, HandoffResponse } from "../../domain/handoff.ts";
import type { Shell } from "../shell.ts";

/** The endpoints that have to do with people. None of the functions throws at a failure of network or service. */
export interface Service {
  /** @returns whether it is stored. */
  readonly rate: (rating: FeedbackRequest) => Promise<boolean>;
  /** @returns undefined when it was not taken. */
  readonly askForPerson: (
    fields: Omit<HandoffRequest, "botId">,
    idempotencyKey: string,
  ) => Promise<HandoffResponse | undefined>;
  /** Asks for what is said, from after an event on. */
  readonly events: (conversationId: string, after: number, signal: AbortSignal) => Promise<Response>;
}

export function createService({ config, options }: Shell): Service {
  const { botId, embedToken } = options;
  const endpoint = config.runtimeEndpoint.replace(/\/$/, "");
  const ask = (path: string, headers: Record<string, string>, more: RequestInit) =>
    fetch(endpoint + path, {
      credentials: "omit",
      headers: { Authorization: `Bearer ${embedToken}`, ...headers },
      ...more,
    });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    ask(
      path,
      { "Content-Type": "application/json", ...headers },
      { method: "POST", body: JSON.stringify(body) },
    );
  return {
    async rate(rating) {
      try {
        return (await post("/feedback", rating)).ok;
      } catch {
        return false;
      }
    },
    async askForPerson(fields, idempotencyKey) {
      try {
        const response = await post("/handoff", { botId, ...fields }, { "Idempotency-Key": idempotencyKey });
        return response.ok ? ((await response.json()) as HandoffResponse) : undefined;
      } catch {
        return undefined;
      }
    },
    events: (conversationId, after, signal) =>
      ask(
        `/chat/events?${new URLSearchParams({ botId, conversationId })}`,
        { Accept: "text/event-stream", ...(after > 0 && { "Last-Event-ID": String(after) }) },
        { signal },
      ),
  };
}
