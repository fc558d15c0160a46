import type { Endpoints } from "../config/endpoints.ts";
import type { BotId } from "../domain/ids.ts";
import { type Now, DAY_MS } from "../domain/time.ts";

/** An order of the sample shop. */
interface Order {
  email: string;
  state: "packing" | "shipped" | "cancelled";
  shippedAt?: string;
  items: { name: string }[];
}

/** The sample order service for the bot `acme-orders`, with its address. */
export interface SampleOrders extends Disposable {
  endpoints: Endpoints;
}

/** Starts a small order service on loopback with orders in memory, so that the sample bot's actions work at once. */
export function startSampleOrders(now: Now): SampleOrders {
  const orders = new Map<string, Order>([
    [
      "48213",
      { email: "ann@example.org", state: "packing", items: [{ name: "Tent Alta 2" }, { name: "Pegs, 12" }] },
    ],
    [
      "48214",
      {
        email: "ann@example.org",
        state: "shipped",
        shippedAt: new Date(now() - DAY_MS).toISOString(),
        items: [{ name: "Boots Ridge, 42" }],
      },
    ],
  ]);
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => answer(orders, request),
  });
  const url = server.url.origin;
  const bots = ["acme-orders" as BotId];
  return {
    endpoints: {
      orders: { url, bots, paths: ["/orders/*"], allowPrivate: true },
      "order-changes": { url, bots, methods: ["POST"], paths: ["/orders/*/cancel"], allowPrivate: true },
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

async function answer(orders: ReadonlyMap<string, Order>, request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const [, number = "", verb] = /^\/orders\/([^/]+)(?:\/(cancel))?$/.exec(pathname) ?? [];
  const order = orders.get(number);
  if (verb === undefined)
    return isTheirs(order, searchParams.get("email")) ? Response.json(order) : notFound();
  if (request.method !== "POST") return new Response(null, { status: 405 });
  const body = (await request.json()) as { email?: unknown };
  if (!isTheirs(order, body.email)) return notFound();
  if (order.state === "shipped") return Response.json({ error: "it has left" }, { status: 409 });
  order.state = "cancelled";
  return Response.json({ state: order.state });
}

const notFound = () => Response.json({ error: "no such order" }, { status: 404 });

/** The e-mail address has to match the order, because order numbers can be guessed. */
function isTheirs(order: Order | undefined, email: unknown): order is Order {
  return order !== undefined && typeof email === "string" && email.toLowerCase() === order.email;
}
