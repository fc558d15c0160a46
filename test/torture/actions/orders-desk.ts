import { EndpointServer } from "../../support/endpoint-server.ts";
import { TcpProxy } from "../../support/tcp-proxy.ts";

/** What becomes of a call. After `breaks` and `cuts` the order is cancelled, and whoever called cannot know. */
export type Fate = "does" | "refuses" | "breaks" | "cuts";

/** How a call is answered: at once, unless there is something to wait for. */
interface Answering {
  fate: Fate;
  after?: Promise<unknown>;
}

const STATUSES: Readonly<Record<Fate, number>> = { does: 200, refuses: 409, breaks: 500, cuts: 200 };

const ENDPOINTS = ["orders", "order-changes"];
/** Longer than a server lives here. */
const TIMEOUT_MS = 30_000;

/** An operator's endpoint that cancels orders. It cancels one as often as it is called, whatever `Idempotency-Key` says, and counts. */
export class OrdersDesk implements AsyncDisposable {
  answering: (order: string) => Answering = () => ({ fate: "does" });
  readonly #server: EndpointServer;
  readonly #proxy: TcpProxy;
  /** The ids of the calls, by order. */
  readonly #calls = new Map<string, string[]>();
  readonly #cancelled = new Set<string>();

  private constructor(server: EndpointServer, proxy: TcpProxy) {
    this.#server = server;
    this.#proxy = proxy;
    server.answer = async ({ path, headers }) => {
      const order = /\d+/.exec(path)![0];
      const { fate, after } = this.answering(order);
      this.#calls.set(order, [...this.callsOf(order), headers["idempotency-key"]!]);
      if (fate !== "refuses") this.#cancelled.add(order);
      await after;
      // With every other connection, as where a firewall is restarted.
      if (fate === "cuts") proxy.cut();
      return Response.json({}, { status: STATUSES[fate] });
    };
  }

  static async open(): Promise<OrdersDesk> {
    const server = new EndpointServer();
    return new OrdersDesk(server, await TcpProxy.start(server.port));
  }

  /** Names it to a server. */
  get env(): Record<string, string> {
    const url = `http://127.0.0.1:${this.#proxy.port}`;
    const settings = this.#server.settings({ url, timeoutMs: TIMEOUT_MS });
    return {
      PARLEY_ENDPOINTS: JSON.stringify(Object.fromEntries(ENDPOINTS.map((name) => [name, settings]))),
    };
  }

  callsOf(order: string): readonly string[] {
    return this.#calls.get(order) ?? [];
  }

  isCancelled(order: string): boolean {
    return this.#cancelled.has(order);
  }

  /** Connections are taken, and nothing that is sent arrives. */
  freeze(): void {
    this.#proxy.mode = "freeze";
  }

  /** What was sent meanwhile is lost. */
  thaw(): void {
    this.#proxy.cut();
    this.#proxy.mode = "pass";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#proxy[Symbol.asyncDispose]();
    this.#server[Symbol.dispose]();
  }
}
