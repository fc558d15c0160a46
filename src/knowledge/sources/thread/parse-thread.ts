import { OnDemandWorker, workerUrl } from "../../../domain/worker.ts";
import type { ParsedDocument } from "../document.ts";
import type { RawDocument } from "../formats/parse-document.ts";

/** Message from the thread: a document, or the reason why there is none. */
export type ParseNews = { kind: "read"; document: ParsedDocument } | { kind: "unreadable"; reason: string };

/** Interval at which the thread's time and memory are checked. Chosen by hand. */
const LOOK_EVERY_MS = 50;

/**
 * `parseDocument` on a thread of its own, one document after another. If a document takes too long or too much memory, its thread is ended, and the
 * next document gets a new one.
 */
export class ParseThread implements Disposable {
  readonly #worker: OnDemandWorker<RawDocument, ParseNews>;
  readonly #memoryInUse: () => number;
  #last: Promise<unknown> = Promise.resolve();

  /** @param memoryInUse memory of the process in bytes, because that of a thread cannot be measured */
  constructor(
    url = workerUrl("knowledge/sources/thread/parse-worker.ts"),
    memoryInUse = () => process.memoryUsage.rss(),
  ) {
    this.#worker = new OnDemandWorker(url, { failure: "cannot be read" });
    this.#memoryInUse = memoryInUse;
  }

  /** Never throws because of a document. */
  parse(raw: RawDocument): Promise<ParseNews> {
    const next = this.#last.then(() => this.#parse(raw));
    this.#last = next;
    return next;
  }

  [Symbol.dispose](): void {
    this.#worker[Symbol.dispose]();
  }

  async #parse(raw: RawDocument): Promise<ParseNews> {
    const watch = this.#watch(raw);
    try {
      return await this.#worker.ask(raw);
    } catch (error) {
      return { kind: "unreadable", reason: (error as Error).message };
    } finally {
      clearInterval(watch);
    }
  }

  #watch({ limits }: RawDocument): ReturnType<typeof setInterval> {
    const endsAt = performance.now() + limits.milliseconds;
    const most = this.#memoryInUse() + limits.memoryBytes;
    return setInterval(() => {
      if (performance.now() > endsAt)
        this.#worker.stop(`takes longer than ${limits.milliseconds / 1000} s to read`);
      else if (this.#memoryInUse() > most)
        this.#worker.stop(`takes more than ${Math.round(limits.memoryBytes / 1e6)} MB of memory to read`);
    }, LOOK_EVERY_MS);
  }
}
