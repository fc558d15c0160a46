import { workerUrl } from "../worker-url.ts";
import type { TextCluster } from "./cluster.ts";

/** The thread ends after this time without a request, which frees its memory. */
const IDLE_MS = 60_000;

/**
 * Runs `clusterTexts` on a thread, one list at a time, so that messages do not wait. The thread starts with the first list and ends after a
 * minute without one.
 */
export class ClusterThread implements Disposable {
  readonly #url: URL;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #idle: Timer | undefined;

  constructor(url = workerUrl("evaluation/cluster-worker.ts")) {
    this.#url = url;
  }

  /** @throws Error when the thread fails, with its message. */
  cluster(texts: readonly string[]): Promise<TextCluster[]> {
    const next = this.#last.then(() => this.#cluster(texts));
    this.#last = next.catch(() => {});
    return next;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  async #cluster(texts: readonly string[]): Promise<TextCluster[]> {
    if (texts.length === 0) return [];
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= new Worker(this.#url));
    const listening = new AbortController();
    const { signal } = listening;
    const { promise, resolve, reject } = Promise.withResolvers<TextCluster[]>();
    const fail = ({ message }: ErrorEvent) => {
      this[Symbol.dispose]();
      reject(new Error(`grouping failed: ${message}`));
    };
    worker.addEventListener("message", ({ data }: MessageEvent<TextCluster[]>) => resolve(data), { signal });
    worker.addEventListener("error", fail, { signal });
    worker.postMessage(texts, []);
    return promise.finally(() => {
      listening.abort();
      this.#idle = setTimeout(() => this[Symbol.dispose](), IDLE_MS).unref();
    });
  }
}
