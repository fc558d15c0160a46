/**
 * The address of a worker's file, given as its path below `src`. From source it is counted from this folder. In the executable the
 * `import.meta.url` of every module is the executable's root, below which the build keeps the workers at their paths.
 */
export function workerUrl(path: string): URL {
  const isSource = import.meta.url.endsWith("/domain/worker.ts");
  return new URL(isSource ? `../${path}` : `./${path}`, import.meta.url);
}

interface OnDemandOptions {
  /** Put before the message of a worker that fails: "grouping failed". */
  failure: string;
  /** The worker ends after this time without a request, which frees its memory; absent: it goes on. */
  idleMs?: number;
}

/** A worker that starts with the first request and answers one at a time. The caller waits for an answer before it asks again. */
export class OnDemandWorker<Request, Response> implements Disposable {
  readonly #url: URL;
  readonly #options: OnDemandOptions;
  #worker: Worker | undefined;
  #pending: PromiseWithResolvers<Response> | undefined;
  #idle: Timer | undefined;

  constructor(url: URL, options: OnDemandOptions) {
    this.#url = url;
    this.#options = options;
  }

  /** @throws Error if the worker fails or is stopped, with the reason. */
  async ask(request: Request): Promise<Response> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    this.#pending = Promise.withResolvers();
    this.#worker.postMessage(request, []);
    try {
      return await this.#pending.promise;
    } finally {
      this.#pending = undefined;
      const { idleMs } = this.#options;
      if (idleMs !== undefined) this.#idle = setTimeout(() => this.stop("it was idle"), idleMs).unref();
    }
  }

  /** Ends the worker. A request in progress rejects with the reason; the next one starts a new worker. */
  stop(reason: string): void {
    clearTimeout(this.#idle);
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#pending?.reject(new Error(reason));
  }

  [Symbol.dispose](): void {
    this.stop(`${this.#options.failure}: its thread was closed`);
  }

  #start(): Worker {
    const worker = new Worker(this.#url);
    // A worker that was ended can still answer or report an error, which must not answer or end a request to its successor.
    worker.addEventListener("message", ({ data }: MessageEvent<Response>) => {
      if (worker === this.#worker) this.#pending?.resolve(data);
    });
    worker.addEventListener("error", ({ message }) => {
      if (worker === this.#worker) this.stop(`${this.#options.failure}: ${message}`);
    });
    return worker;
  }
}
