/** Secret of the tests' webhooks. */
export const WEBHOOK_SECRET = `whsec_${Buffer.from("a secret of the tests, 32 bytes.").toString("base64")}`;

/** A received request. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}

/** A receiver of webhooks on loopback with scripted answers. */
export class Receiver implements Disposable {
  readonly received: Received[] = [];
  readonly #server: ReturnType<typeof Bun.serve>;
  answer: (count: number) => Response | Promise<Response> = () => new Response("ok");

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const headers = Object.fromEntries(request.headers);
        this.received.push({ headers, body: await request.text() });
        return this.answer(this.received.length);
      },
    });
  }

  get url(): string {
    return `${this.#server.url.origin}/hook?from=parley`;
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}
