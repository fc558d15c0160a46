import { ServiceError } from "../../domain/errors.ts";
import { OnDemandWorker, workerUrl } from "../../domain/worker.ts";
import type { ConfiguredNames } from "../../seed/configured-names.ts";
import type { BundleSources } from "../../seed/document-rules.ts";
import type { CheckedYaml, YamlToCheck } from "./check-yaml.ts";

/** Time limit of one check. A bot of 8 MiB takes about 10 s on a slow core. */
const MAX_CHECK_MS = 30_000;
/** The thread ends after this time without a document, which frees its memory. An operator who is typing asks again within seconds. */
const IDLE_MS = 60_000;
/**
 * Documents that may wait. A dozen editors leave the queue empty, because a correct document takes milliseconds. Each waiting document
 * takes up to 12 MB.
 */
const MAX_WAITING = 16;

interface CheckThreadOptions {
  longestMs?: number;
  /** Absent if unknown. */
  configured?: ConfiguredNames;
  /** Allowed origins of template bundles; absent if unknown. */
  bundles?: () => BundleSources;
}

/**
 * Runs `checkYaml` on a thread, one document at a time, so that a large or hostile document does not delay visitors.
 */
export class CheckThread implements Disposable {
  readonly #longestMs: number;
  readonly #configured: ConfiguredNames | undefined;
  readonly #bundles: (() => BundleSources) | undefined;
  readonly #worker = new OnDemandWorker<unknown, CheckedYaml>(workerUrl("operate/check/check-worker.ts"), {
    failure: "this cannot be checked",
    idleMs: IDLE_MS,
  });
  /** Whether a check is running or starting. */
  #isBusy = false;
  readonly #waiting: (() => void)[] = [];

  constructor({ longestMs = MAX_CHECK_MS, configured, bundles }: CheckThreadOptions = {}) {
    this.#longestMs = longestMs;
    this.#configured = configured;
    this.#bundles = bundles;
  }

  /**
   * Never throws because of the document.
   *
   * @param signal drops a waiting document when it aborts. @throws the signal's reason @throws ServiceError OVERLOADED if too many
   * documents wait
   */
  async check(order: YamlToCheck, signal?: AbortSignal): Promise<CheckedYaml> {
    await this.#turn(signal);
    try {
      return await this.#check(order);
    } finally {
      // The next waiting document takes over directly, so that no new one can come before it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#isBusy = false;
    }
  }

  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (!this.#isBusy) {
      this.#isBusy = true;
      return;
    }
    if (this.#waiting.length >= MAX_WAITING) throw tooMany();
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
    const tooLong = `to check this takes longer than ${this.#longestMs / 1000} s; make it simpler`;
    const watch = setTimeout(() => this.#worker.stop(tooLong), this.#longestMs);
    try {
      return await this.#worker.ask({
        ...order,
        ...(this.#configured && { configured: this.#configured }),
        ...(this.#bundles && { bundles: this.#bundles() }),
      });
    } catch (error) {
      return { mistakes: [{ message: (error as Error).message, severity: "error" }] };
    } finally {
      clearTimeout(watch);
    }
  }
}

function tooMany(): ServiceError {
  return new ServiceError("OVERLOADED", "Too many bots are being checked at once; try again shortly.", {
    headers: { "Retry-After": "2" },
  });
}
