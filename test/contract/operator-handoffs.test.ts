import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import type { DeliveryId } from "../../src/domain/ids.ts";
import type { DeliveryRow, HandoffRow } from "../../src/domain/operator/handoffs.ts";
import { shopBot } from "../support/bots.ts";
import { type TestOperator, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const SECRET = `whsec_${Buffer.from("a secret of the tests, 32 bytes.").toString("base64")}`;

let parley: TestParley;
let receiver: ReturnType<typeof Bun.serve>;
let received = 0;
let status = 500;
let editor: TestOperator;
let viewer: TestOperator;

beforeAll(async () => {
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => {
      received += 1;
      return new Response(null, { status });
    },
  });
  parley = await startParley({
    bots: [
      shopBot({ id: "shop", handoff: {} }),
      shopBot({ id: "quiet" }),
      shopBot({ id: "notes", handoff: { live: false } }),
    ],
    flags: { webhooks: JSON.stringify({ crm: { url: receiver.url.href, secretEnv: "HOOK_SECRET" } }) },
    parts: { env: { HOOK_SECRET: SECRET } },
  });
  await signIn(parley, "owner");
  editor = await signIn(parley, "editor", "editor");
  viewer = await signIn(parley, "viewer", "viewer");
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await receiver.stop(true);
});

async function ask(
  message: string,
  botId = "shop",
  conversationId?: string,
): Promise<{ handoffId: string; conversationId: string }> {
  const response = await fetch(`${parley.url}/handoff`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
    body: JSON.stringify({ botId, message, ...(conversationId && { conversationId }) }),
  });
  return (await response.json()) as { handoffId: string; conversationId: string };
}

const json = async <Body>(response: Response) => (await response.json()) as Body;

describe("hand-offs", () => {
  test("of a bot that lets nobody into the conversation can be closed, and not be taken over", async () => {
    const { handoffId } = await ask("call me", "notes");
    const path = `/handoffs/${handoffId}`;
    expect(await json(await editor.ask("GET", path))).toMatchObject({ state: "open", mayTake: false });
    const refused = await editor.ask("POST", `${path}/take`);
    expect(refused.status).toBe(412);
    expect(await refused.text()).toContain("`handoff.live: false`");
    expect(await json(await editor.ask("POST", `${path}/close`))).toMatchObject({ state: "closed" });
    const other = await ask("and me");
    expect(await json(await editor.ask("GET", `/handoffs/${other.handoffId}`))).toMatchObject({
      mayTake: true,
    });
  });

  test("are listed, read and closed by an editor; a viewer reads; the audit names who closed", async () => {
    const { handoffId, conversationId } = await ask("<script>alert(1)</script>");
    const list = await json<{ items: HandoffRow[] }>(
      await viewer.ask("GET", "/handoffs?state=open&bot=shop"),
    );
    expect(list.items[0]).toMatchObject({
      id: handoffId,
      bot: "shop",
      conversationId,
      state: "open",
      fields: { message: "<script>alert(1)</script>" },
    });
    expect((await viewer.ask("POST", `/handoffs/${handoffId}/close`)).status).toBe(403);
    const closed = await editor.ask("POST", `/handoffs/${handoffId}/close`);
    expect(await json<HandoffRow>(closed)).toMatchObject({ id: handoffId, state: "closed" });
    expect(await json(await viewer.ask("GET", `/handoffs/${handoffId}`))).toMatchObject({ state: "closed" });
    const [change] = await parley.store.changes.list({ limit: 1 });
    expect(change).toMatchObject({ kind: "handoff.closed", subject: handoffId, by: { name: "editor" } });
  });

  test("that a colleague has are taken from them on purpose alone: who comes second is told who has it", async () => {
    const bea = await signIn(parley, "bea", "editor");
    const { handoffId, conversationId } = await ask("two of you");
    const path = `/handoffs/${handoffId}`;
    const take = (who: TestOperator, query = "") => who.ask("POST", `${path}/take${query}`);
    const [first, second] = await Promise.all([take(editor), take(bea)]);
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    const [holder, other] = first.status === 200 ? ["editor", bea] : ["bea", editor];
    const loser = first.status === 200 ? second : first;
    expect(await json<{ detail: string }>(loser)).toMatchObject({ detail: expect.stringContaining(holder) });
    expect(await json(await viewer.ask("GET", path))).toMatchObject({ state: "live", operator: holder });
    expect((await other.ask("POST", `${path}/messages`, { body: { text: "me, too" } })).status).toBe(200);
    expect(await json(await viewer.ask("GET", path))).toMatchObject({ operator: holder });
    expect((await take(other, "?from=nobody")).status).toBe(409);
    expect((await take(other, `?from=${holder}`)).status).toBe(200);
    expect(await json(await viewer.ask("GET", path))).not.toMatchObject({ operator: holder });
    const { handoffs } = parley.store;
    const said = await handoffs.listEvents([{ conversationId, after: 0 }], 10);
    expect(said.get(conversationId)!.map(({ text }) => text)).toEqual(["live", "me, too", "live"]);
    await editor.json("POST", `${path}/close`);
  });

  test("that are taken twice by one operator are taken once", async () => {
    const { handoffId, conversationId } = await ask("take me");
    for (let times = 0; times < 2; times += 1)
      expect((await editor.ask("POST", `/handoffs/${handoffId}/take`)).status).toBe(200);
    const said = await parley.store.handoffs.listEvents([{ conversationId, after: 0 }], 10);
    expect(said.get(conversationId)!.map(({ text }) => text)).toEqual(["live"]);
    await editor.json("POST", `/handoffs/${handoffId}/close`);
  });

  test("that wait are counted and listed, the first first; who was given back waits no longer", async () => {
    const count = async () =>
      (await json<{ waiting: number }>(await viewer.ask("GET", "/handoffs/count"))).waiting;
    const list = async (query: string) =>
      (await json<{ items: HandoffRow[] }>(await viewer.ask("GET", `/handoffs?bot=shop&${query}`))).items;
    const before = await count();
    const first = await ask("first");
    const second = await ask("second");
    expect(await count()).toBe(before + 2);
    const waiting = (await list("waiting=1")).map(({ id }) => id);
    expect(waiting.slice(-2)).toEqual([first.handoffId, second.handoffId]);
    expect(waiting).toEqual(waiting.toSorted());

    await editor.json("POST", `/handoffs/${first.handoffId}/take`);
    expect(await count()).toBe(before + 1);
    expect((await list("state=live")).map(({ id }) => id)).toEqual([first.handoffId]);
    const released = await editor.json<HandoffRow>("POST", `/handoffs/${first.handoffId}/release`);
    expect(released).toMatchObject({ state: "open", givenBackAt: released.updatedAt });
    expect(await count()).toBe(before + 1);
    expect((await list("waiting=1")).map(({ id }) => id)).not.toContain(first.handoffId);
    expect((await list("waiting=0")).map(({ id }) => id)).toEqual([first.handoffId]);

    const closed = await editor.json<HandoffRow>("POST", `/handoffs/${first.handoffId}/close`);
    expect(closed).not.toHaveProperty("givenBackAt");
    expect(await list("waiting=0")).toEqual([]);
    const again = await ask("it is me again", "shop", first.conversationId);
    expect(again.handoffId).not.toBe(first.handoffId);
    expect(await count()).toBe(before + 2);
    for (const id of [again.handoffId, second.handoffId]) await editor.json("POST", `/handoffs/${id}/close`);
    expect(await count()).toBe(before);
    expect((await viewer.ask("GET", "/handoffs?waiting=yes")).status).toBe(400);
  });

  test("come in pages", async () => {
    for (let i = 0; i < 52; i += 1) await ask(`number ${i}`);
    const first = await json<{ items: HandoffRow[]; next: string }>(await viewer.ask("GET", "/handoffs"));
    expect(first.items).toHaveLength(50);
    const second = await json<{ items: HandoffRow[]; next: string | null }>(
      await viewer.ask("GET", `/handoffs?cursor=${first.next}`),
    );
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(second.next).toBeNull();
    const waiting = await json<{ items: HandoffRow[]; next: string }>(
      await viewer.ask("GET", "/handoffs?waiting=1"),
    );
    const later = await json<{ items: HandoffRow[] }>(
      await viewer.ask("GET", `/handoffs?waiting=1&cursor=${waiting.next}`),
    );
    const waitingIds = [...waiting.items, ...later.items].map(({ id }) => id);
    expect(waitingIds).toHaveLength(
      (await json<{ waiting: number }>(await viewer.ask("GET", "/handoffs/count"))).waiting,
    );
    expect(waitingIds).toEqual(waitingIds.toSorted());
  });

  test("of a bot that has none, or is not there, are none", async () => {
    for (const bot of ["quiet", "nobody"])
      expect(await json(await viewer.ask("GET", `/handoffs?bot=${bot}`))).toEqual({ items: [], next: null });
    expect((await viewer.ask("GET", "/handoffs/ho_nothing")).status).toBe(404);
  });
});

describe("deliveries", () => {
  test("tell what was not delivered and why, and are sent again by an editor", async () => {
    const { conversationId } = await ask("call me");
    const latest = async () => {
      const { items } = await json<{ items: DeliveryRow[] }>(await viewer.ask("GET", "/deliveries"));
      return items.find((row) => row.conversationId === conversationId)!;
    };
    let row = await latest();
    while (row.error === undefined) row = await latest();
    expect(row).toMatchObject({ channel: "webhook", target: "crm", bot: "shop", state: "waiting" });
    expect(JSON.stringify(row)).not.toContain("call me");
    const claim = {
      event: "handoff.requested",
      now: Date.now() + 60_000,
      leaseMs: 60_000,
      limit: 1000,
    } as const;
    expect((await parley.store.outbox.claim(claim)).map(({ id }) => id)).toContain(row.id as DeliveryId);
    const tried = await latest();
    expect([tried.state, tried.attempts, tried.error]).toEqual(["waiting", row.attempts + 1, undefined]);
    expect((await viewer.ask("POST", `/deliveries/${row.id}/resend`)).status).toBe(403);
    status = 200;
    const before = received;
    expect((await editor.ask("POST", `/deliveries/${row.id}/resend`)).status).toBe(204);
    while ((await latest()).state !== "delivered") await Bun.sleep(10);
    expect(received).toBeGreaterThan(before);
    expect((await editor.ask("POST", "/deliveries/dl_nothing/resend")).status).toBe(404);
  });

  test("are found by bot, state, event and conversation, page by page", async () => {
    const { conversationId } = await ask("call me back");
    const list = async (query: string) => {
      const page = await json<{ items: DeliveryRow[]; next: string | null }>(
        await viewer.ask("GET", `/deliveries?${query}`),
      );
      return { ...page, ids: page.items.map(({ id }) => id) };
    };
    const all = await list("");
    expect(all.items).toHaveLength(50);
    const own = await list(`conversation=${conversationId}`);
    expect(own.items).toMatchObject([{ conversationId, event: "handoff.requested" }]);
    expect((await list(`conversation=${conversationId}&event=feedback.given`)).items).toEqual([]);
    expect((await list(`conversation=${conversationId}&bot=shop&event=handoff.requested`)).ids).toEqual(
      own.ids,
    );
    for (const query of ["bot=quiet", "bot=nobody", "state=given-up", "event=feedback.given"])
      expect((await list(query)).items).toEqual([]);
    expect((await list("bot=shop")).ids).toEqual(all.ids);
    const next = await list(`bot=shop&event=handoff.requested&cursor=${all.next}`);
    expect(next.ids.length).toBeGreaterThan(0);
    expect(next.ids[0]! < all.ids.at(-1)!).toBe(true);
    for (const query of ["event=tea.ready", "state=lost", "cursor=nonsense"])
      expect((await viewer.ask("GET", `/deliveries?${query}`)).status).toBe(400);
  });
});
