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

/** A call that an action wants to make. */
export interface CallOrder {
  /** The action's id: the `Idempotency-Key`, and what is signed. */
  id: string;
  endpoint: string;
  bot: BotId;
  conversation: ConversationId;
  request: ActionRequest;
  hasProof: boolean;
}

/** `dry`: nothing was sent, as somebody tries the bot out. */
export type CallOutcome = (SentOutcome | { kind: "dry" }) & { milliseconds: number };

/** Calls endpoints, or does not. */
export interface EndpointCaller {
  /** Why the configuration forbids the call; undefined: it allows it. */
  refusalOf(order: CallOrder): CallFault | undefined;
  /** Never rejects for what an endpoint does. It waits for its turn for the endpoint's time at most, and has that time then, whoever waits for it. */
  call(order: CallOrder): Promise<CallOutcome>;
  /** Nothing is called in this conversation: somebody tries a bot out. */
  isDry(conversation: ConversationId): boolean;
}

const TIMEOUT_MS = 3000;
const MOST_CONCURRENT = 8;

/** What the calls need of the world around. */
export interface CallerWorld {
  env: Readonly<Record<string, string | undefined>>;
  now: Now;
  resolve?: Resolve;
  /** Told of each call that was tried. */
  onCall?: (endpoint: string, outcome: CallOutcome) => void;
}

/** Which calls the configuration allows. Pure. */
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
    for (const [name, { maxConcurrent = MOST_CONCURRENT }] of Object.entries(endpoints)) {
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
        // Sent with what was left of the wait, a call would be cut that the endpoint carries out.
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

/** A status of 500 and above is a failure of the endpoint; what it says of one order is not. */
function isFailure(sent: SentOutcome): boolean {
  return sent.kind !== "answered" || sent.answer.status >= 500;
}

/** What is sent with every request; undefined where a variable is not set, or holds what is no header. */
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

/** As webhooks are signed (Standard Webhooks specification). */
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
