import type { ModelServers } from "../config/models.ts";
import type {
  Completion,
  CompletionRequest,
  CompletionRun,
  ModelCall,
  TokenUsage,
} from "../domain/completion.ts";
import type { Environment } from "../domain/os-user.ts";
import { embedTexts } from "./embed.ts";
import { type CallWorld, type CompletionOptions, ModelServer } from "./model-server.ts";

/** Called after every call, for the metrics. */
export type OnModelCall = (call: ModelCall, usage: TokenUsage | undefined) => void;

/** A server's embeddings of texts. */
export interface EmbeddingRun {
  call: ModelCall;
  /** One per text, in order; absent when the server could not. */
  vectors?: number[][];
  /** The server has had the texts, and may have worked on them; there are no vectors. */
  wasSent?: true;
  /** Absent if the server did not count. */
  usage?: TokenUsage;
}

/** The model servers of the config, by name. */
export class ModelFleet {
  readonly #servers: ReadonlyMap<string, ModelServer>;
  readonly #stats: ReadonlyMap<string, CallStats>;
  readonly #onCall: OnModelCall;

  constructor(servers: readonly ModelServer[], onCall: OnModelCall) {
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    this.#stats = new Map(servers.map(({ name }) => [name, new CallStats()]));
    this.#onCall = (call, usage) => {
      this.#stats.get(call.server)?.note(call);
      onCall(call, usage);
    };
  }

  /** How the calls of a server went since the start; undefined if there is no such server. */
  statsOf(name: string): CallStats | undefined {
    return this.#stats.get(name);
  }

  find(name: string): ModelServer | undefined {
    return this.#servers.get(name);
  }

  get names(): string[] {
    return [...this.#servers.keys()];
  }

  /**
   * Asks the named servers in order (all of them if no names are given) until one answers. A server that has begun to
   * answer a stream is the last one asked: a visitor never reads two beginnings.
   */
  async complete(
    names: readonly string[] | undefined,
    request: CompletionRequest,
    { signal, onText }: CompletionOptions,
  ): Promise<CompletionRun> {
    const calls: ModelCall[] = [];
    let givenUp = 0;
    let hasBegun = false;
    const options: CompletionOptions = {
      signal,
      ...(onText && {
        onText(text: string) {
          hasBegun = true;
          onText(text);
        },
      }),
    };
    let completion: Completion = { outcome: "unavailable", reason: "no such model server is configured" };
    for (const server of this.#select(names)) {
      completion = await this.#ask(server, request, options, calls);
      if ("wasSent" in completion) givenUp += 1;
      if (!isFailure(completion) || hasBegun || signal.aborted) break;
    }
    return { completion, calls, givenUp };
  }

  /** Vectors of texts by the server of that name; undefined if there is none. Without texts, no call is made. */
  async embed(
    name: string,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<EmbeddingRun | undefined> {
    const server = this.#servers.get(name);
    if (!server) return undefined;
    const startedAt = performance.now();
    const made = await embedTexts(server, texts, signal);
    const call = callOf(server, made.ok ? { outcome: "ok" } : made, startedAt);
    if (!made.ok) {
      this.#onCall(call, undefined);
      return { call, ...(made.wasSent && { wasSent: true }) };
    }
    if (texts.length > 0) this.#onCall(call, made.usage);
    return { call, vectors: made.vectors, ...(made.usage && { usage: made.usage }) };
  }

  #select(names: readonly string[] = this.names): ModelServer[] {
    return names.flatMap((name) => this.#servers.get(name) ?? []);
  }

  async #ask(
    server: ModelServer,
    request: CompletionRequest,
    options: CompletionOptions,
    calls: ModelCall[],
  ): Promise<Completion> {
    const startedAt = performance.now();
    const completion = await server.complete(request, options);
    const call = callOf(server, completion, startedAt);
    calls.push(call);
    this.#onCall(call, "usage" in completion ? completion.usage : undefined);
    return completion;
  }
}

function callOf(
  { name }: ModelServer,
  { outcome, reason }: { outcome: Completion["outcome"]; reason?: string },
  startedAt: number,
): ModelCall {
  const milliseconds = Math.round((performance.now() - startedAt) * 1000) / 1000;
  return { server: name, outcome, ...(reason !== undefined && { reason }), milliseconds };
}

function isFailure({ outcome }: Completion): boolean {
  return outcome === "timeout" || outcome === "unavailable";
}

/** Servers of a config, with the keys that the environment holds. */
export function openModelFleet(
  servers: ModelServers,
  env: Environment,
  world: CallWorld,
  onCall: OnModelCall,
): ModelFleet {
  const opened = Object.entries(servers).map(([name, settings]) => {
    const apiKey = settings.apiKeyEnv === undefined ? undefined : env[settings.apiKeyEnv]?.trim();
    return new ModelServer(name, settings, apiKey, world);
  });
  return new ModelFleet(opened, onCall);
}

/** Number of latest calls for percentiles; older ones say little about the server's present state. */
const REMEMBERED = 500;

/** How the calls of one model server went. */
export class CallStats {
  calls = 0;
  /** Calls that brought no answer: not in time, or none at all. */
  failures = 0;
  readonly #milliseconds: number[] = [];

  note({ outcome, milliseconds }: ModelCall): void {
    this.#milliseconds[this.calls % REMEMBERED] = milliseconds;
    this.calls += 1;
    if (outcome === "timeout" || outcome === "unavailable") this.failures += 1;
  }

  /** The time within which that share of the latest calls ended, retries included; undefined before the first call. */
  percentileMs(share: number): number | undefined {
    const sorted = this.#milliseconds.toSorted((a, b) => a - b);
    return sorted[Math.ceil(share * sorted.length) - 1];
  }
}
