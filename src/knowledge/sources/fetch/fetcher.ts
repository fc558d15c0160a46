import { VERSION } from "../../../domain/version.ts";
import { addressFault } from "../check-sources.ts";
import { GetError, type GetOrder, type GetReply, httpGet } from "./http-get.ts";
import { reachHost, type Resolve, systemResolve } from "./public-address.ts";
import { ALLOW_ALL, parseRobots, type RobotsRules } from "./robots.ts";

/** Limits and permissions of fetching. */
export interface FetchSettings {
  /** Hosts of the server's configuration, with or without a port, that may have private addresses. */
  allowedHosts?: ReadonlySet<string>;
  /** For one document or sitemap. */
  maxBytes?: number;
  /** For all fetches of one run. */
  maxTotalBytes?: number;
  timeoutMs?: number;
  maxTotalMs?: number;
  resolve?: Resolve;
}

/** The last response after redirects. */
interface Fetched {
  url: URL;
  reply: GetReply;
}

/** The result for an address. */
export type FetchResult =
  | ({ kind: "fetched" } & Fetched)
  /** The server says that it has not changed. */
  | { kind: "unchanged" }
  /** Missing, or forbidden for robots: its earlier content is deleted. */
  | { kind: "gone"; reason: string }
  /** Failed temporarily: its earlier content is kept. */
  | { kind: "failed"; reason: string };

const MB = 1_000_000;
const MAX_REDIRECTS = 5;
/** Size of a robots.txt that must be read at least (RFC 9309, 2.5). */
const ROBOTS_BYTES = 500 * 1024;

/** Name of this robot in a robots.txt. */
const ROBOT = "Parley";

/**
 * Fetches documents for one run of a command, within limits: as robots.txt allows, and only from public addresses, even after a redirect.
 */
export class Fetcher {
  readonly #settings: Required<FetchSettings>;
  readonly #robots = new Map<string, Promise<RobotsRules>>();
  readonly #endsAt: number;
  #bytesLeft: number;

  constructor(settings: FetchSettings = {}) {
    this.#settings = {
      allowedHosts: new Set(),
      maxBytes: 20 * MB,
      maxTotalBytes: 1000 * MB,
      timeoutMs: 20_000,
      maxTotalMs: 30 * 60_000,
      resolve: systemResolve,
      ...settings,
    };
    this.#bytesLeft = this.#settings.maxTotalBytes;
    this.#endsAt = performance.now() + this.#settings.maxTotalMs;
  }

  /** Never throws because of an address or a server. @param headers conditions, such as `If-None-Match` */
  async fetch(address: string, headers: Readonly<Record<string, string>> = {}): Promise<FetchResult> {
    const fault = addressFault(address);
    if (fault !== undefined) return { kind: "gone", reason: fault };
    try {
      const { url, reply } = await this.#follow(new URL(address), {
        headers: { Accept: ACCEPTED, ...headers },
        asksRobots: true,
      });
      return judged(url, reply);
    } catch (error) {
      if (error instanceof RefusedError) return { kind: "gone", reason: error.message };
      if (error instanceof GetError) return { kind: "failed", reason: error.message };
      throw error;
    }
  }

  async #follow(
    first: URL,
    { asksRobots, ...order }: Pick<GetOrder, "headers" | "cutsBody"> & { asksRobots: boolean },
  ): Promise<Fetched> {
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      if (asksRobots) await this.#askRobots(url);
      const reply = await this.#get(url, order);
      const { location } = reply.headers;
      if (!isRedirect(reply.status) || location === undefined) return { url, reply };
      url = redirected(url, location);
    }
    throw new GetError(`redirects more than ${MAX_REDIRECTS} times`);
  }

  /** Resolves the host again for each request, including redirects. */
  async #get(url: URL, order: Pick<GetOrder, "headers" | "cutsBody">): Promise<GetReply> {
    const leftMs = this.#endsAt - performance.now();
    if (this.#bytesLeft <= 0 || leftMs <= 0)
      throw new GetError("was not fetched: this run has used up what it may take; run it again");
    const reach = await reachHost(url, this.#settings);
    if (!reach.ok) throw new GetError(reach.reason);
    const reply = await httpGet({
      url,
      addresses: reach.addresses,
      maxBytes: Math.min(order.cutsBody === true ? ROBOTS_BYTES : this.#settings.maxBytes, this.#bytesLeft),
      timeoutMs: Math.min(this.#settings.timeoutMs, Math.ceil(leftMs)),
      ...order,
      headers: { "User-Agent": `${ROBOT}/${VERSION}`, ...order.headers },
    });
    this.#bytesLeft -= reply.body.length;
    return reply;
  }

  async #askRobots(url: URL): Promise<void> {
    const asked = this.#robots.get(url.origin) ?? this.#readRobots(url.origin);
    this.#robots.set(url.origin, asked);
    if (!(await asked).allows(url.pathname + url.search))
      throw new RefusedError(`the robots.txt of ${url.origin} does not allow it`);
  }

  /** Without a robots.txt everything is allowed; if it cannot be fetched, nothing is (RFC 9309, 2.3.1). */
  async #readRobots(origin: string): Promise<RobotsRules> {
    const { reply } = await this.#follow(new URL("/robots.txt", origin), {
      cutsBody: true,
      asksRobots: false,
    });
    if (reply.status >= 200 && reply.status < 300)
      return parseRobots(Buffer.from(reply.body).toString("utf8"), ROBOT);
    if (reply.status >= 400 && reply.status < 500) return ALLOW_ALL;
    throw new GetError(
      `was not fetched: the robots.txt of ${origin} cannot be read (status ${reply.status})`,
    );
  }
}

/** An address that is never fetched. */
class RefusedError extends Error {}

const ACCEPTED = "text/html,application/xhtml+xml,text/markdown,text/plain,application/pdf;q=0.9,*/*;q=0.5";

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

function redirected(from: URL, location: string): URL {
  const url = URL.parse(location, from);
  const fault = url === null ? "a redirect leads to no address" : addressFault(url.href);
  if (url === null || fault !== undefined) throw new GetError(`redirects elsewhere: ${fault}`);
  return url;
}

function judged(url: URL, reply: GetReply): FetchResult {
  const { status } = reply;
  if (status >= 200 && status < 300) return { kind: "fetched", url, reply };
  if (status === 304) return { kind: "unchanged" };
  if (status === 404 || status === 410) return { kind: "gone", reason: `is not there (status ${status})` };
  return { kind: "failed", reason: `the server answered with status ${status}` };
}
