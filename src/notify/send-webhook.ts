import type { WebhookSettings } from "../config/webhooks.ts";
import type { DeliveryId } from "../domain/ids.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { Notice, TestNotice } from "./notice.ts";
import { signatureOf } from "./signature.ts";

/** Timeout of a receiver; the specification recommends 15 to 30 s. */
const TIMEOUT_MS = 15_000;
/** "Gone" (RFC 9110): the receiver wants no more events. */
const GONE = 410;

/** A webhook request. */
export interface WebhookOrder {
  settings: WebhookSettings;
  secret: string;
  id: DeliveryId;
  notice: Notice | TestNotice;
  now: Date;
}

/**
 * Sends one event, signed by the Standard Webhooks specification. Redirects are not followed, because only the operator chooses the address.
 * The body of the receiver's response is not read.
 *
 * @returns the status of the accepting response
 * @throws DeliveryError if it was not accepted
 */
export async function sendWebhook({ settings, secret, id, notice, now }: WebhookOrder): Promise<number> {
  const body = JSON.stringify(notice);
  const response = await post(settings.url.reveal(), body, {
    "Content-Type": "application/json",
    "User-Agent": "Parley",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
    "webhook-signature": signatureOf(secret, { id, now, body }),
  });
  void response.body?.cancel().catch(() => {});
  if (response.ok) return response.status;
  const isRedirect = response.status >= 300 && response.status < 400;
  const hint = isRedirect ? "; redirects are not followed, put the right address into the configuration" : "";
  throw new DeliveryError(`the receiver answered with status ${response.status}${hint}`, {
    isFinal: response.status === GONE,
  });
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<Response> {
  try {
    return await fetch(url, {
      method: "POST",
      body,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (cause) {
    const isLate = cause instanceof DOMException && cause.name === "TimeoutError";
    throw new DeliveryError(isLate ? `no answer within ${TIMEOUT_MS / 1000} s` : "no connection", { cause });
  }
}
