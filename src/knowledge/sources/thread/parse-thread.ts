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
  readonly #workerUrl: URL;
  readonly #memoryInUse: () => number;
  #worker: Worker | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param memoryInUse memory of the process in bytes, because that of a thread cannot be measured */
  constructor(url = parseWorkerUrl(), memoryInUse = () => process.memoryUsage.rss()) {
    this.#workerUrl = url;
    this.#memoryInUse = memoryInUse;
  }

  /** Never throws because of a document. */
  parse(raw: RawDocument): Promise<ParseNews> {
    const next = this.#last.then(() => this.#parse(raw));
    this.#last = next;
    return next;
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  async #parse(raw: RawDocument): Promise<ParseNews> {
    const worker = (this.#worker ??= new Worker(this.#workerUrl));
    const listening = new AbortController();
    const { signal } = listening;
    const { promise, resolve } = Promise.withResolvers<ParseNews>();
    const giveUp = (reason: string) => {
      this.#stop();
      resolve({ kind: "unreadable", reason });
    };
    worker.addEventListener("message", ({ data }: MessageEvent<ParseNews>) => resolve(data), { signal });
    worker.addEventListener("error", ({ message }) => giveUp(`cannot be read: ${message}`), { signal });
    const watch = this.#watch(raw, giveUp);
    worker.postMessage(raw, []);
    return promise.finally(() => {
      clearInterval(watch);
      listening.abort();
    });
  }

  #watch({ limits }: RawDocument, giveUp: (reason: string) => void): ReturnType<typeof setInterval> {
    const endsAt = performance.now() + limits.milliseconds;
    const most = this.#memoryInUse() + limits.memoryBytes;
    return setInterval(() => {
      if (performance.now() > endsAt) giveUp(`takes longer than ${limits.milliseconds / 1000} s to read`);
      else if (this.#memoryInUse() > most)
        giveUp(`takes more than ${Math.round(limits.memoryBytes / 1e6)} MB of memory to read`);
    }, LOOK_EVERY_MS);
  }

  #stop(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }
}

/** From source, beside this file; in the executable, at the same path below its root. */
function parseWorkerUrl(): URL {
  const isSource = import.meta.url.endsWith("/parse-thread.ts");
  return new URL(
    isSource ? "./parse-worker.ts" : "./knowledge/sources/thread/parse-worker.ts",
    import.meta.url,
  );
}
