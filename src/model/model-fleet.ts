import type { ModelServers } from "../config/models.ts";
import type { Completion, CompletionRequest, CompletionRun, ModelCall } from "../domain/completion.ts";
import { type CallWorld, type CompletionOptions, ModelServer } from "./model-server.ts";

/** Told of every call, for the metrics. */
export type OnModelCall = (call: ModelCall, completion: Completion) => void;

/** The model servers of the config, by name. */
export class ModelFleet {
  readonly #servers: ReadonlyMap<string, ModelServer>;
  readonly #onCall: OnModelCall;

  constructor(servers: readonly ModelServer[], onCall: OnModelCall) {
    this.#servers = new Map(servers.map((server) => [server.name, server]));
    this.#onCall = onCall;
  }

  find(name: string): ModelServer | undefined {
    return this.#servers.get(name);
  }

  get names(): string[] {
    return [...this.#servers.keys()];
  }

  /**
   * Asks the named servers in order (all of them where no names are given) until one answers. A server that has begun to
   * answer a stream is the last one asked: a visitor never reads two beginnings.
   */
  async complete(
    names: readonly string[] | undefined,
    request: CompletionRequest,
    { signal, onText }: CompletionOptions,
  ): Promise<CompletionRun> {
    const calls: ModelCall[] = [];
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
      if (!isFailure(completion) || hasBegun || signal.aborted) break;
    }
    return { completion, calls };
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
    const call: ModelCall = {
      server: server.name,
      outcome: completion.outcome,
      ...("reason" in completion && { reason: completion.reason }),
      milliseconds: Math.round((performance.now() - startedAt) * 1000) / 1000,
    };
    calls.push(call);
    this.#onCall(call, completion);
    return completion;
  }
}

function isFailure({ outcome }: Completion): boolean {
  return outcome === "timeout" || outcome === "unavailable";
}

/** Servers of a config, with the keys that the environment holds. */
export function openModelFleet(
  servers: ModelServers,
  env: Readonly<Record<string, string | undefined>>,
  world: CallWorld,
  onCall: OnModelCall,
): ModelFleet {
  const opened = Object.entries(servers).map(([name, settings]) => {
    const apiKey = settings.apiKeyEnv === undefined ? undefined : env[settings.apiKeyEnv]?.trim();
    return new ModelServer(name, settings, apiKey, world);
  });
  return new ModelFleet(opened, onCall);
}
