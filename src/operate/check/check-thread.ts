import { ServiceError } from "../../domain/errors.ts";
import type { ConfiguredNames } from "../../seed/configured-names.ts";
import type { BundleSources } from "../../seed/document-rules.ts";
import type { CheckedYaml, YamlToCheck } from "./check-yaml.ts";

/** A bot of 8 MiB takes some 10 s on a slow core. */
const LONGEST_CHECK_MS = 30_000;
/** An operator who types asks again within seconds; the thread's memory is given back once nobody does. */
const IDLE_MS = 60_000;
/** A dozen editors at work leave the queue empty: a sound document takes milliseconds. Each that waits is up to 12 MB. */
const MOST_WAITING = 16;

interface CheckThreadOptions {
  longestMs?: number;
  /** Absent where that is not known. */
  configured?: ConfiguredNames;
  /** Where bundles of templates may come from; absent where that is not known. */
  bundles?: () => BundleSources;
}

/**
 * `checkYaml` on a thread of its own, one after another: a large document, or a hostile one, keeps no visitor waiting. The thread starts
 * with the first document, and ends when none has come for a minute.
 */
export class CheckThread implements Disposable {
  readonly #longestMs: number;
  readonly #configured: ConfiguredNames | undefined;
  readonly #bundles: (() => BundleSources) | undefined;
  #worker: Worker | undefined;
  /** Whether one is being checked, or begun. */
  #isBusy = false;
  readonly #waiting: (() => void)[] = [];
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor({ longestMs = LONGEST_CHECK_MS, configured, bundles }: CheckThreadOptions = {}) {
    this.#longestMs = longestMs;
    this.#configured = configured;
    this.#bundles = bundles;
  }

  /**
   * Never throws for a document, however bad it is.
   *
   * @param signal of who waits for it: a document whose turn has not come is dropped when it aborts.
   * @throws the signal's reason
   * @throws ServiceError OVERLOADED where too many wait
   */
  async check(order: YamlToCheck, signal?: AbortSignal): Promise<CheckedYaml> {
    await this.#turn(signal);
    try {
      return await this.#check(order);
    } finally {
      // Whoever waits takes over the turn; nobody comes in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#isBusy = false;
    }
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#isBusy) {
      this.#isBusy = true;
      return;
    }
    if (this.#waiting.length >= MOST_WAITING) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      this.#waiting.splice(this.#waiting.indexOf(begin), 1);
      reject(signal?.reason);
    };
    const begin = () => {
      signal?.removeEventListener("abort", leave);
      resolve();
    };
    this.#waiting.push(begin);
    signal?.addEventListener("abort", leave, { once: true });
    await promise;
  }

  async #check(order: YamlToCheck): Promise<CheckedYaml> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= new Worker(checkWorkerUrl()));
    const listening = new AbortController();
    const { signal } = listening;
    const { promise, resolve } = Promise.withResolvers<CheckedYaml>();
    const giveUp = (message: string) => {
      this.#stop();
      resolve({ mistakes: [{ message, severity: "error" }] });
    };
    worker.addEventListener("message", ({ data }: MessageEvent<CheckedYaml>) => resolve(data), { signal });
    worker.addEventListener("error", ({ message }) => giveUp(`this cannot be checked: ${message}`), {
      signal,
    });
    const tooLong = `to check this takes longer than ${this.#longestMs / 1000} s; make it simpler`;
    const watch = setTimeout(() => giveUp(tooLong), this.#longestMs);
    const settings = {
      ...(this.#configured && { configured: this.#configured }),
      ...(this.#bundles && { bundles: this.#bundles() }),
    };
    worker.postMessage({ ...order, ...settings }, []);
    return promise.finally(() => {
      clearTimeout(watch);
      listening.abort();
      this.#idle = setTimeout(() => this.#stop(), IDLE_MS).unref();
    });
  }

  #stop(): void {
    clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

function tooMany(): ServiceError {
  return new ServiceError("OVERLOADED", "Too many bots are being checked at once; try again shortly.", {
    headers: { "Retry-After": "2" },
  });
}

/** From source, beside this file; in the executable, below its root, where the build keeps it at its place in `src`. */
function checkWorkerUrl(): URL {
  const isSource = import.meta.url.endsWith("/check-thread.ts");
  return new URL(isSource ? "./check-worker.ts" : "./operate/check/check-worker.ts", import.meta.url);
}
