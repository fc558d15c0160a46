import type { EndpointSettings } from "../../src/config/endpoints.ts";
import type { BotId } from "../../src/domain/ids.ts";

/** A received request of an endpoint. */
export interface EndpointRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** An operator's endpoint on loopback with scripted answers. It ignores `Idempotency-Key`, and records requests. */
export class EndpointServer implements Disposable {
  readonly requests: EndpointRequest[] = [];
  readonly #server: ReturnType<typeof Bun.serve>;
  answer: (request: EndpointRequest) => Response | Promise<Response> = () => Response.json({});

  constructor() {
    this.#server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      idleTimeout: 0,
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url);
        const got = {
          method: request.method,
          path: pathname + search,
          headers: Object.fromEntries(request.headers),
          body: await request.text(),
        };
        this.requests.push(got);
        return this.answer(got);
      },
    });
  }

  get url(): string {
    return this.#server.url.origin;
  }

  get port(): number {
    return this.#server.port!;
  }

  /** Settings of an endpoint for the shop, which may make every call of the tests. */
  settings(fields: Partial<EndpointSettings> = {}): EndpointSettings {
    return {
      url: this.url,
      bots: ["shop" as BotId],
      methods: ["GET", "POST"],
      paths: ["/orders/*", "/orders/*/cancel"],
      allowPrivate: true,
      ...fields,
    };
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}
