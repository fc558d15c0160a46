import type { Endpoints, EndpointSettings } from "../config/endpoints.ts";
import type { CallFault } from "../domain/action.ts";
import type { BotId, ConversationId } from "../domain/ids.ts";
import type { Now } from "../domain/time.ts";
import { type Resolve, systemResolve } from "../knowledge/sources/fetch/public-address.ts";
import { CircuitBreaker } from "../model/circuit-breaker.ts";
import { Slots } from "../model/slots.ts";
import { secretFault, signatureOf } from "../notify/signature.ts";
import { type ActionRequest, isPathAllowed } from "./build-request.ts";
import { type SentOutcome, sendRequest } from "./send-request.ts";

/** A call by an action. */
export interface CallOrder {
  /** The action's id, used as `Idempotency-Key` and in the signature. */
  id: string;
  endpoint: string;
  bot: BotId;
  conversation: ConversationId;
  request: ActionRequest;
  hasProof: boolean;
}

/** `dry`: a trial; nothing was sent. */
export type CallOutcome = (SentOutcome | { kind: "dry" }) & { milliseconds: number };

/** Calls endpoints, or pretends to in trials. */
export interface EndpointCaller {
  /** The reason why the configuration forbids the call; undefined if it is allowed. */
  refusalOf(order: CallOrder): CallFault | undefined;
  /**
   * Never rejects because of an endpoint. Waits for a free place up to the endpoint's timeout; the call itself then has the same timeout.
   */
  call(order: CallOrder): Promise<CallOutcome>;
  /** Whether this conversation is a trial without calls. */
  isDry(conversation: ConversationId): boolean;
}

const TIMEOUT_MS = 3000;
const MAX_CONCURRENT = 8;

/** External parts that calls use. */
export interface CallerWorld {
  env: Readonly<Record<string, string | undefined>>;
  now: Now;
  resolve?: Resolve;
  /** Called after each attempted call. */
  onCall?: (endpoint: string, outcome: CallOutcome) => void;
}

/** Checks a call against the configuration. Pure. */
export function refusalOf(
  endpoints: Endpoints,
  { endpoint, bot, request, hasProof }: CallOrder,
): CallFault | undefined {
  const settings = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  if (settings === undefined) return "unknown-endpoint";
  const { bots, methods = ["GET"], paths } = settings;
  const isAllowed =
    bots.includes(bot) && methods.includes(request.method) && isPathAllowed(request.path, paths);
  if (!isAllowed) return "not-allowed";
  return hasProof || settings.public ? undefined : "needs-proof";
}

/** Calls the endpoints of a configuration. */
export class ConfiguredEndpoints implements EndpointCaller {
  readonly #endpoints: Endpoints;
  readonly #world: CallerWorld;
  readonly #lines = new Map<string, { breaker: CircuitBreaker; slots: Slots }>();

  constructor(endpoints: Endpoints, world: CallerWorld) {
    this.#endpoints = endpoints;
    this.#world = world;
    for (const [name, { maxConcurrent = MAX_CONCURRENT }] of Object.entries(endpoints)) {
      this.#lines.set(name, { breaker: new CircuitBreaker(world.now), slots: new Slots(maxConcurrent) });
    }
  }

  isDry(): boolean {
    return false;
  }

  refusalOf(order: CallOrder): CallFault | undefined {
    return refusalOf(this.#endpoints, order);
  }

  async call(order: CallOrder): Promise<CallOutcome> {
    const startedAt = performance.now();
    const sent = await this.#tryCall(order);
    const outcome = { ...sent, milliseconds: Math.round(10 * (performance.now() - startedAt)) / 10 };
    this.#world.onCall?.(order.endpoint, outcome);
    return outcome;
  }

  async #tryCall(order: CallOrder): Promise<SentOutcome> {
    const refusal = this.refusalOf(order);
    if (refusal !== undefined) return { kind: "not-done", fault: refusal };
    const settings = this.#endpoints[order.endpoint]!;
    const headers = headersOf(settings, order, this.#world);
    if (headers === undefined) return { kind: "not-done", fault: "no-secret" };
    const { breaker, slots } = this.#lines.get(order.endpoint)!;
    const { timeoutMs = TIMEOUT_MS } = settings;
    if (!(await slots.take(AbortSignal.timeout(timeoutMs)))) return { kind: "not-done", fault: "busy" };
    try {
      if (!breaker.admit()) return { kind: "not-done", fault: "breaker-open" };
      const sent = await sendRequest({
        url: settings.url,
        request: order.request,
        headers,
        allowPrivate: settings.allowPrivate === true,
        resolve: this.#world.resolve ?? systemResolve,
        // A full timeout: with the rest of the wait, a call that the endpoint carries out could be cut off.
        late: AbortSignal.timeout(timeoutMs),
      });
      if (isFailure(sent)) breaker.failed();
      else breaker.succeeded();
      return sent;
    } finally {
      slots.release();
    }
  }
}

/** Statuses of 500 and above are failures of the endpoint; others are about the one request. */
function isFailure(sent: SentOutcome): boolean {
  return sent.kind !== "answered" || sent.answer.status >= 500;
}

/** Headers of every request; undefined if a variable is not set, or is not a valid header value. */
function headersOf(
  { headers = {}, secretEnv }: EndpointSettings,
  { id, request: { body } }: CallOrder,
  { env, now }: CallerWorld,
): Record<string, string> | undefined {
  const given = Object.entries(headers).map(
    ([name, value]) => [name, typeof value === "string" ? value : env[value.env]] as const,
  );
  const isSet = given.every(([, value]) => value !== undefined && /^[\x20-\x7e\x80-\xff]+$/.test(value));
  const secret = secretEnv === undefined ? undefined : env[secretEnv];
  if (!isSet || (secretEnv !== undefined && secretFault(secret) !== undefined)) return undefined;
  return {
    ...(Object.fromEntries(given) as Record<string, string>),
    Accept: "application/json",
    "Accept-Encoding": "identity",
    "User-Agent": "Parley",
    "Idempotency-Key": id,
    ...(body !== undefined && {
      "Content-Type": "application/json",
      "Content-Length": String(Buffer.byteLength(body)),
    }),
    ...(secret !== undefined && signedHeaders(secret, { id, now: new Date(now()), body: body ?? "" })),
  };
}

/** Signed like webhooks (Standard Webhooks specification). */
function signedHeaders(
  secret: string,
  signed: { id: string; now: Date; body: string },
): Record<string, string> {
  return {
    "webhook-id": signed.id,
    "webhook-timestamp": String(Math.floor(signed.now.getTime() / 1000)),
    "webhook-signature": signatureOf(secret, signed),
  };
}
