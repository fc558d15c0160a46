import { OnDemandWorker, workerUrl } from "../../domain/worker.ts";
import type { TextCluster } from "./cluster.ts";

/** The thread ends after this time without a request, which frees its memory. */
const IDLE_MS = 60_000;

/** Runs `clusterTexts` on a thread, one list at a time, so that messages do not wait. */
export class ClusterThread implements Disposable {
  readonly #worker: OnDemandWorker<readonly string[], TextCluster[]>;
  /** The latest list; the next one waits for it. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(url = workerUrl("intent/evaluation/cluster-worker.ts")) {
    this.#worker = new OnDemandWorker(url, { failure: "grouping failed", idleMs: IDLE_MS });
  }

  /** @throws Error if the thread fails or is closed, with its message. */
  cluster(texts: readonly string[]): Promise<TextCluster[]> {
    const next = this.#last.then(() => (texts.length === 0 ? [] : this.#worker.ask(texts)));
    this.#last = next.catch(() => {});
    return next;
  }

  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }
}
