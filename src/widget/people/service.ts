import type { FeedbackRequest } from "../../domain/feedback.ts";
import type { HandoffRequest, HandoffResponse } from "../../domain/handoff.ts";
import type { Shell } from "../shell.ts";

/** Why a request for a person failed; `notTaken`: a failure of network or service, so that the same request may be repeated. */
export type NotTaken = "rejected" | "unavailable" | "tooMany" | "notTaken";

/** The endpoints for ratings and hand-off. Failures of network or service are returned, not thrown. */
export interface Service {
  /** @returns whether it is stored. */
  readonly rate: (rating: FeedbackRequest) => Promise<boolean>;
  readonly askForPerson: (
    fields: Omit<HandoffRequest, "botId">,
    idempotencyKey: string,
  ) => Promise<HandoffResponse | NotTaken>;
  /** Requests the events after the one with number `after`. */
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
        const { ok, status } = response;
        if (ok) return (await response.json()) as HandoffResponse;
        if (status < 405) return status > 400 ? "unavailable" : "rejected";
        return status < 500 ? "tooMany" : "notTaken";
      } catch {
        return "notTaken";
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
