import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { Value } from "@sinclair/typebox/value";

import {
  type OperatorKey,
  type OperatorPermission,
  PERMISSIONS,
  PERMISSIONS_OF,
  ROLES,
  type Role,
} from "../../src/domain/operator/access.ts";
import type { BackupRow, ServerHealth } from "../../src/domain/operator/server.ts";
import type { ApiRoute } from "../../src/http/api/frame.ts";
import { type ApiParts, apiRoutes } from "../../src/http/api/routes.ts";
import { shopBot } from "../support/bots.ts";
import { type TestModelServer, says, startModelServer } from "../support/model-server.ts";
import { TestOperator, cookieOf, keyOf, nobody, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";
import { isOnPostgres } from "../support/store-under-test.ts";

/** Routes are declared without a look at their parts. */
const ROUTES = apiRoutes(new Proxy({}, { get: () => () => undefined }) as ApiParts);
const NAMES = ROUTES.map(({ method, path }) => `${method} ${path}`);

let model: TestModelServer;
let parley: TestParley;
let owner: TestOperator;
const people: Partial<Record<Role, TestOperator>> = {};

beforeAll(async () => {
  model = await startModelServer();
  model.replyWith(says("Hello"));
  parley = await startParley({
    bots: [shopBot({ monthlyMessageCap: 100 })],
    flags: { models: JSON.stringify({ local: { baseUrl: model.baseUrl, model: "tiny" } }) },
  });
  owner = await signIn(parley, "owner");
  for (const role of ROLES) people[role] = await signIn(parley, `the-${role}`, role);
});
afterAll(async () => {
  await parley[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const codeOf = async (response: Response) => [
  response.status,
  response.ok ? "" : ((await response.json()) as { code: string }).code,
];

/** A path that leads nowhere, so that an allowed request changes nothing. */
const somewhere = (path: string) => path.replaceAll(/:\w+/g, "no-such-thing");

/** What is asked of a route that changes something, so that it fails after the check of who asks. */
const UNFIT_BODY = { unknownField: true };

describe("each route of the operator API", () => {
  test("asks for a permission that is one, or is known here as open", () => {
    const asked = (open: string) =>
      ROUTES.filter(({ permission }) => permission === open).map(({ path }) => path);
    expect(asked("anyone")).toEqual(["/session", "/session/link"]);
    expect(asked("signed-in")).toEqual(["/session", "/session", "/session/password"]);
    const others = ROUTES.filter(({ permission }) => !["anyone", "signed-in"].includes(permission));
    for (const { permission } of others) expect(PERMISSIONS).toContain(permission as OperatorPermission);
    expect(new Set(NAMES).size).toBe(NAMES.length);
  });

  test("writes by no GET, and reads with the least permission but where secrets are near", () => {
    for (const { method, permission } of ROUTES) {
      if (permission === "read") expect(method).not.toBe("DELETE");
      if (method === "GET")
        expect(["read", "signed-in", "operators.write", "conversations.export"]).toContain(permission);
    }
  });

  const cases = ROUTES.filter(({ permission }) => permission !== "anyone").map((route) => ({
    name: `${route.method} ${route.path}`,
    route,
  }));
  const bodyFor = (method: string) => (method === "GET" ? {} : { body: UNFIT_BODY });

  test.each(cases)("$name is refused to who has not signed in", async ({ route: { method, path } }) => {
    const response = await nobody(parley).ask(method, somewhere(path), bodyFor(method));
    expect(await codeOf(response)).toEqual([401, "UNAUTHORIZED"]);
  });

  const byRole = cases.flatMap((each) => ROLES.map((role) => ({ ...each, role })));
  const gated = byRole.filter(({ route }) => route.permission !== "signed-in");

  // Where nothing is to be sent, and nothing is named that there may not be, an allowed request would be done.
  const isDoneAtOnce = ({ method, path, body }: ApiRoute) =>
    method !== "GET" && body === undefined && !path.includes(":");
  const allows = (role: Role, { permission }: ApiRoute) =>
    PERMISSIONS_OF[role].includes(permission as OperatorPermission);
  const asked = gated.filter(({ role, route }) => !(isDoneAtOnce(route) && allows(role, route)));

  test.each(asked)("$name for the role $role is as the table of roles says", async ({ route, role }) => {
    const response = await people[role]!.ask(route.method, somewhere(route.path), bodyFor(route.method));
    const [status] = await codeOf(response);
    if (allows(role, route)) expect([200, 400, 404, 409, 412, 428]).toContain(status as number);
    else expect(status).toBe(403);
  });

  test.each(gated.filter(({ role }) => role === "owner"))(
    "$name is refused to a key without its permission",
    async ({ route }) => {
      const others = PERMISSIONS.filter((name) => name !== route.permission);
      const key = await keyOf(parley, owner, others);
      const response = await key.ask(route.method, somewhere(route.path), bodyFor(route.method));
      expect(await codeOf(response)).toEqual([403, "FORBIDDEN"]);
    },
  );

  const writes = cases.filter(({ route }) => route.method !== "GET");
  test.each(writes)("$name by a session is refused to other sites", async ({ route: { method, path } }) => {
    for (const site of ["cross-site", "same-site", "none"]) {
      const response = await owner.ask(method, somewhere(path), {
        body: UNFIT_BODY,
        headers: { "Sec-Fetch-Site": site },
      });
      expect(await codeOf(response)).toEqual([403, "FORBIDDEN"]);
    }
  });
});

describe("the operator listener", () => {
  test("answers a wrong method with 405, and an unknown path with 404", async () => {
    const wrong = await owner.ask("DELETE", "/health");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("GET, HEAD");
    const unknown = await owner.ask("GET", "/nothing");
    expect(await codeOf(unknown)).toEqual([404, "NOT_FOUND"]);
  });

  test("answers no page whose name leads to this machine", async () => {
    for (const host of ["evil.example", "localhost.evil.example", "evil.example:8788"]) {
      const response = await owner.ask("GET", "/operators", { headers: { Host: host } });
      expect(await codeOf(response)).toEqual([403, "FORBIDDEN"]);
    }
  });

  test("lets no other origin read, and no cache keep, what it answers", async () => {
    const response = await owner.ask("GET", "/health", { headers: { Origin: "https://evil.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(response.headers.get("x-request-id")).toMatch(/^rq_/);
  });

  test("describes each of its routes, and every reference leads somewhere", async () => {
    const text = await (await fetch(`${parley.server.localOperatorUrl}/api/openapi.json`)).text();
    const document = JSON.parse(text) as {
      paths: Record<string, Record<string, { "x-permission": string; operationId: string }>>;
      components: { schemas: object };
    };
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${path.slice("/api/v1".length).replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
    expect(described.toSorted()).toEqual(NAMES.toSorted());
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((each) => each.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const schemas = Object.keys(document.components.schemas);
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g))
      expect(schemas).toContain(name!);
  });

  test("says on loopback which command makes the first operator", async () => {
    await using fresh = await startParley();
    const response = await nobody(fresh).ask("GET", "/session");
    expect(response.status).toBe(401);
    expect(((await response.json()) as { detail: string }).detail).toContain(
      "parley operator add NAME --role owner",
    );
  });

  test("beyond loopback has nothing but metrics until there is an operator", async () => {
    await using open = await startParley({ flags: { operatorHost: "0.0.0.0" } });
    const url = `http://127.0.0.1:${new URL(open.server.localOperatorUrl).port}`;
    const at = async (path: string) => (await fetch(url + path)).status;
    expect(await at("/metrics")).toBe(200);
    for (const path of ["/api/v1/session", "/api/openapi.json", "/api/v1/nothing", "/help/install"]) {
      const response = await fetch(url + path);
      expect(response.status).toBe(404);
      expect(((await response.json()) as { detail: string }).detail).toContain("serves only GET /metrics");
    }
    const body = JSON.stringify({ name: "ann", password: "x" });
    const headers = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };
    expect((await fetch(`${url}/api/v1/session`, { method: "POST", body, headers })).status).toBe(404);
    await open.store.operators.add({ name: "ann", role: "viewer" });
    expect(await at("/api/v1/session")).toBe(401);
  });
});

/** The answers of a JSON route have the shape that it promises. */
async function answerOf<Answer = Record<string, unknown>>(
  name: string,
  path = name.split(" ")[1]!,
  body?: unknown,
): Promise<Answer> {
  const [method] = name.split(" ");
  const route = ROUTES.find((each) => `${each.method} ${each.path}` === name)!;
  const value = await owner.json(method!, path, body);
  expect([...Value.Errors(route.response!, value)]).toEqual([]);
  return value as Answer;
}

describe("operators", () => {
  test("are added with a link, changed, and removed, in the name of who did it", async () => {
    const { operator, link } = await answerOf("POST /operators", "/operators", {
      name: "new@example.com",
      role: "editor",
    });
    expect(operator).toMatchObject({ name: "new@example.com", role: "editor", hasPassword: false });
    expect((link as { url: string }).url).toStartWith(`${parley.server.operatorUrl}/sign-in#link=`);
    await answerOf("PATCH /operators/:name", "/operators/new@example.com", { role: "viewer" });
    await answerOf("POST /operators/:name/link", "/operators/NEW@example.com/link");
    const { items } = await answerOf("GET /operators");
    expect((items as { name: string }[]).map(({ name }) => name)).toContain("new@example.com");
    await owner.json("DELETE", "/operators/new@example.com");
    const { items: rows } = await answerOf("GET /audit", "/audit?limit=4");
    expect(rows as object[]).toMatchObject(
      ["operator.removed", "operator.link-issued", "operator.role-changed", "operator.link-issued"].map(
        (kind) => ({
          kind,
          subject: "new@example.com",
          by: { kind: "operator", name: "owner" },
        }),
      ),
    );
  });

  test("are one for each name, and none for no name", async () => {
    expect(
      await codeOf(await owner.ask("POST", "/operators", { body: { name: "OWNER", role: "viewer" } })),
    ).toEqual([409, "INVALID_REQUEST"]);
    const odd = await owner.ask("POST", "/operators", { body: { name: "a b", role: "viewer" } });
    expect(odd.status).toBe(400);
    expect((await owner.ask("DELETE", "/operators/nobody")).status).toBe(404);
    expect((await owner.ask("PATCH", "/operators/nobody", { body: { role: "viewer" } })).status).toBe(404);
  });

  test("keep their last owner", async () => {
    await using fresh = await startParley();
    const only = await signIn(fresh, "only");
    for (const response of [
      await only.ask("DELETE", "/operators/only"),
      await only.ask("PATCH", "/operators/only", { body: { role: "viewer" } }),
    ]) {
      expect(await codeOf(response)).toEqual([409, "INVALID_REQUEST"]);
    }
    expect((await only.ask("GET", "/operators")).status).toBe(200);
  });
});

describe("keys", () => {
  test("do what they were made for, from anywhere, and are named in the audit", async () => {
    const { key, id } = await answerOf<{ key: string; id: string }>("POST /keys", "/keys", {
      label: "nightly",
      permissions: ["read", "operators.write"],
    });
    expect(key).toMatch(/^parley_op_[0-9A-Za-z]{36}$/);
    const headers = { Authorization: `Bearer ${key}` };
    const holder = new TestOperator(parley, headers);
    expect(await holder.json("GET", "/session")).toMatchObject({ permissions: ["read", "operators.write"] });
    const response = await fetch(`${parley.server.localOperatorUrl}/api/v1/operators/the-viewer/link`, {
      method: "POST",
      headers,
    });
    expect(response.status).toBe(200);
    const { items } = await answerOf("GET /audit", "/audit?limit=1");
    expect((items as object[])[0]).toMatchObject({ by: { kind: "key", name: `nightly (${id})` } });
    const { items: keys } = await answerOf<{ items: OperatorKey[] }>("GET /keys");
    expect(JSON.stringify(keys)).not.toContain(key);
    expect(keys.find((each) => each.id === id)?.lastUsedAt).toBeGreaterThan(0);
    await owner.json("DELETE", `/keys/${id}`);
    expect(await codeOf(await holder.ask("GET", "/session"))).toEqual([401, "UNAUTHORIZED"]);
    expect((await owner.ask("DELETE", `/keys/${id}`)).status).toBe(404);
  });

  test("make none that may do more, and cannot end in the past", async () => {
    const maker = await keyOf(parley, owner, ["operators.write"]);
    const more = await maker.ask("POST", "/keys", { body: { label: "x", permissions: ["read"] } });
    expect(await codeOf(more)).toEqual([403, "FORBIDDEN"]);
    const past = await owner.ask("POST", "/keys", {
      body: { label: "x", permissions: ["read"], expiresAt: 1000 },
    });
    expect(await codeOf(past)).toEqual([400, "INVALID_REQUEST"]);
  });

  test("make and remove nobody, and no link for anybody, who may do more", async () => {
    const limited = await keyOf(parley, owner, ["read", "operators.write"]);
    await owner.json("POST", "/operators", { name: "demoted", role: "editor" });
    for (const [method, path, body] of [
      ["POST", "/operators", { name: "accomplice", role: "owner" }],
      ["POST", "/operators", { name: "accomplice", role: "editor" }],
      ["POST", "/operators/the-owner/link", undefined],
      ["POST", "/operators/the-editor/link", undefined],
      ["PATCH", "/operators/the-viewer", { role: "owner" }],
      ["PATCH", "/operators/demoted", { role: "viewer" }],
      ["DELETE", "/operators/demoted", undefined],
    ] as const) {
      expect([path, body, await codeOf(await limited.ask(method, path, { body }))]).toEqual([
        path,
        body,
        [403, "FORBIDDEN"],
      ]);
    }
    const { items } = await owner.json<{ items: object[] }>("GET", "/operators");
    expect(items).not.toContainEqual(expect.objectContaining({ name: "accomplice" }));
    expect(items).toContainEqual(expect.objectContaining({ name: "demoted", role: "editor" }));
    await limited.json("POST", "/operators", { name: "another-viewer", role: "viewer" });
    await limited.json("POST", "/operators/another-viewer/link");
    await limited.json("DELETE", "/operators/another-viewer");
    expect(await codeOf(await limited.ask("POST", "/operators/nobody-here/link"))).toEqual([
      404,
      "NOT_FOUND",
    ]);
  });

  test("that end make nothing that outlives them: no key, no link, no session, no password", async () => {
    const clock = { now: Date.now() };
    await using other = await startParley({ parts: { now: () => clock.now } });
    const boss = await signIn(other, "boss");
    await boss.json("POST", "/operators", { name: "vera", role: "viewer" });
    const END = clock.now + 60_000;
    const make = async (maker: TestOperator, fields: object) =>
      maker.json<OperatorKey & { key: string }>("POST", "/keys", {
        label: "x",
        permissions: ["operators.write", "read"],
        ...fields,
      });
    const holderOf = ({ key }: { key: string }) =>
      new TestOperator(other, { Authorization: `Bearer ${key}` });
    const byLink = async (maker: TestOperator) => {
      const link = await maker.json<{ url: string; expiresAt: number }>("POST", "/operators/vera/link");
      expect(link.expiresAt).toBeLessThanOrEqual(END);
      const secret = new URL(link.url).hash.slice("#link=".length);
      const response = await nobody(other).ask("POST", "/session/link", { body: { secret } });
      expect(await response.clone().json()).toMatchObject({ isByKey: true });
      return new TestOperator(other, { Cookie: cookieOf(response) });
    };
    const parent = await make(boss, { expiresAt: END });
    const holder = holderOf(parent);
    const later = await holder.ask("POST", "/keys", {
      body: { label: "x", permissions: ["read"], expiresAt: END + 1 },
    });
    expect(await codeOf(later)).toEqual([400, "INVALID_REQUEST"]);
    const child = await make(holder, {});
    expect(child.expiresAt).toBe(END);
    const grandchild = await make(holderOf(child), { expiresAt: END - 1000 });
    const session = await byLink(holderOf(grandchild));
    expect(await session.json("GET", "/session")).toMatchObject({ isByKey: true });
    const password = await session.ask("PUT", "/session/password", {
      body: { password: "a long enough password" },
    });
    expect(await codeOf(password)).toEqual([403, "FORBIDDEN"]);
    // Revoked with what it made, and nothing else.
    const sibling = await make(holder, {});
    await boss.json("DELETE", `/keys/${child.id}`);
    for (const gone of [holderOf(child), holderOf(grandchild), session]) {
      expect(await codeOf(await gone.ask("GET", "/session"))).toEqual([401, "UNAUTHORIZED"]);
    }
    const last = await byLink(holderOf(sibling));
    expect((await last.ask("GET", "/session")).status).toBe(200);
    clock.now = END;
    for (const ended of [holder, holderOf(sibling), last]) {
      expect(await codeOf(await ended.ask("GET", "/session"))).toEqual([401, "UNAUTHORIZED"]);
    }
  });

  test("made in a session that a key let in end with that key, too", async () => {
    const all = await keyOf(parley, owner, PERMISSIONS);
    await owner.json("POST", "/operators", { name: "second-owner", role: "owner" });
    const { url } = await all.json<{ url: string }>("POST", "/operators/second-owner/link");
    const secret = new URL(url).hash.slice("#link=".length);
    const entered = await nobody(parley).ask("POST", "/session/link", { body: { secret } });
    const session = new TestOperator(parley, { Cookie: cookieOf(entered) });
    const escaped = await keyOf(parley, session, ["read"]);
    expect((await escaped.ask("GET", "/session")).status).toBe(200);
    const { items } = await owner.json<{ items: OperatorKey[] }>("GET", "/keys");
    const made = items.find(({ permissions }) => permissions.length === PERMISSIONS.length)!;
    await owner.json("DELETE", `/keys/${made.id}`);
    expect((await escaped.ask("GET", "/session")).status).toBe(401);
    await owner.json("DELETE", "/operators/second-owner");
  });

  test("are removed by nobody who may do less than they", async () => {
    const weak = await keyOf(parley, owner, ["operators.write"]);
    const strong = await owner.json<OperatorKey>("POST", "/keys", {
      label: "strong",
      permissions: ["operators.write", "bots.delete"],
    });
    const same = await owner.json<OperatorKey>("POST", "/keys", {
      label: "same",
      permissions: ["operators.write"],
    });
    expect(await codeOf(await weak.ask("DELETE", `/keys/${strong.id}`))).toEqual([403, "FORBIDDEN"]);
    expect((await weak.ask("DELETE", `/keys/${same.id}`)).status).toBe(204);
    expect((await owner.ask("DELETE", `/keys/${strong.id}`)).status).toBe(204);
  });

  test("end at their instant, lose what their maker may no longer do, and go with their maker", async () => {
    const clock = { now: Date.now() };
    await using other = await startParley({ parts: { now: () => clock.now } });
    const boss = await signIn(other, "boss");
    const maker = await signIn(other, "maker");
    const body = { label: "short", permissions: ["read"], expiresAt: clock.now + 1000 };
    const { key } = await maker.json<{ key: string }>("POST", "/keys", body);
    const short = new TestOperator(other, { Authorization: `Bearer ${key}` });
    const long = await keyOf(other, maker, ["read", "tokens.write"]);
    expect((await short.ask("GET", "/tokens")).status).toBe(200);
    clock.now += 1000;
    expect((await short.ask("GET", "/tokens")).status).toBe(401);
    await boss.json("PATCH", "/operators/maker", { role: "viewer" });
    expect(await long.json("GET", "/session")).toMatchObject({ permissions: ["read"] });
    await boss.json("DELETE", "/operators/maker");
    expect((await long.ask("GET", "/tokens")).status).toBe(401);
  });

  test.each(["Bearer parley_op_x", "Basic b3duZXI6eA==", `Bearer parley_op_${"a".repeat(36)}`, "Bearer"])(
    "%p is none, whatever cookie comes along",
    async (authorization) => {
      const response = await owner.ask("GET", "/session", { headers: { Authorization: authorization } });
      expect(response.headers.get("www-authenticate")).toStartWith("Bearer");
      expect(await codeOf(response)).toEqual([401, "UNAUTHORIZED"]);
    },
  );
});

describe("tokens", () => {
  test("are issued with a snippet, used, listed without themselves, and revoked", async () => {
    const made = await answerOf("POST /tokens", "/tokens", { bots: ["shop"], label: "site" });
    const { id, token, snippet } = made as { id: string; token: string; snippet: string };
    expect(snippet).toContain(`data-token="${token}"`);
    const row = async () => {
      const { items } = await answerOf("GET /tokens");
      return (items as { id: string; lastUsedAt?: number; revokedAt?: number }[]).find(
        (each) => each.id === id,
      )!;
    };
    expect((await row()).lastUsedAt).toBeUndefined();
    expect((await parley.chat({ botId: "shop", input: "hi" }, { token })).status).toBe(200);
    expect((await row()).lastUsedAt).toBeGreaterThan(0);
    expect(JSON.stringify(await row())).not.toContain(token);
    const revoked = await answerOf("POST /tokens/:id/revoke", `/tokens/${id}/revoke`);
    expect((revoked as { revokedAt: number }).revokedAt).toBeGreaterThan(0);
    expect((await owner.ask("POST", "/tokens/et_none/revoke")).status).toBe(404);
    const { items } = await answerOf("GET /audit", "/audit?bot=shop&limit=2");
    expect((items as { kind: string; by: unknown }[]).map(({ kind, by }) => [kind, by])).toEqual([
      ["token.revoked", { kind: "operator", name: "owner", command: "POST /api/v1/tokens/:id/revoke" }],
      ["token.issued", { kind: "operator", name: "owner", command: "POST /api/v1/tokens" }],
    ]);
  });

  test("are issued for bots that there are, and not for the past", async () => {
    const unknown = await owner.ask("POST", "/tokens", { body: { bots: ["shop", "nobody"] } });
    expect(await unknown.json()).toMatchObject({ status: 400, errors: [{ pointer: "/bots/1" }] });
    expect((await owner.ask("POST", "/tokens", { body: { bots: ["shop"], expiresAt: 1 } })).status).toBe(400);
    expect((await owner.ask("POST", "/tokens", { body: { bots: [] } })).status).toBe(400);
  });
});

describe("models", () => {
  test("are listed as they are, and checked", async () => {
    const { items } = await answerOf("GET /models");
    expect(items as object[]).toMatchObject([
      { name: "local", model: "tiny", circuit: "closed", usedBy: [] },
    ]);
    const check = await answerOf("POST /models/:name/check", "/models/local/check");
    expect(check).toMatchObject({ ok: true });
    expect((await owner.ask("POST", "/models/none/check")).status).toBe(404);
  });
});

describe("the audit", () => {
  test("is read page by page, each row once", async () => {
    const all = (await answerOf<{ items: object[] }>("GET /audit", "/audit?limit=500")).items;
    const seen: object[] = [];
    let next: string | null = "";
    while (next !== null) {
      const page: { items: object[]; next: string | null } = await owner.json(
        "GET",
        `/audit?limit=7${next === "" ? "" : `&before=${next}`}`,
      );
      seen.push(...page.items);
      ({ next } = page);
    }
    expect(seen).toEqual(all);
    expect((await owner.ask("GET", "/audit?before=x")).status).toBe(400);
    expect((await owner.ask("GET", "/audit?limit=0")).status).toBe(400);
  });
});

describe("what no list ever gave", () => {
  const cursorOf = (json: string) => Buffer.from(json).toString("base64url");

  test.each([
    `/handoffs?cursor=${cursorOf(String.raw`"a\u0000b"`)}`,
    `/deliveries?cursor=${cursorOf(String.raw`"a\u0000b"`)}`,
    `/audit?before=${cursorOf("1e300")}`,
    `/bots/shop/versions?cursor=${cursorOf("1e300")}`,
    `/conversations?cursor=${cursorOf('{"place":1e300,"at":1}')}`,
    `/conversations?newer=${cursorOf('{"place":1,"at":1e300}')}`,
    "/conversations?from=99999999999999999999",
    "/handoffs/ho_x/events?after=99999999999999999999",
  ])("is refused as a place or a number: %s", async (path) => {
    expect(await codeOf(await owner.ask("GET", path))).toEqual([400, "INVALID_REQUEST"]);
  });
});

describe("health and usage", () => {
  test("tell what the doctor finds from inside", async () => {
    const health = await answerOf<ServerHealth>("GET /health");
    expect(health).toMatchObject({ ready: true, store: isOnPostgres ? "postgres" : "sqlite" });
    const checks = health.findings.map(({ check }) => check);
    for (const check of ["storage", "clock", "bots", "embed-tokens"]) expect(checks).toContain(check);
    for (const check of ["disk-space", "file-system"]) expect(checks.includes(check)).toBe(!isOnPostgres);
  });

  test("tell what bots have used of their month", async () => {
    const { items } = await answerOf("GET /usage");
    expect(items as object[]).toMatchObject([{ bot: "shop", cap: 100, modelTokens: 0 }]);
  });
});

describe("backups", () => {
  test.skipIf(!isOnPostgres)("of PostgreSQL are its own tools' business", async () => {
    expect(await codeOf(await owner.ask("POST", "/backups"))).toEqual([409, "INVALID_REQUEST"]);
  });

  test.skipIf(isOnPostgres)("are made on demand, listed, and noted in the name of who asked", async () => {
    const response = await owner.ask("POST", "/backups");
    const lines = (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { kind: string; result?: BackupRow });
    expect(lines.map(({ kind }) => kind)).toEqual(["step", "result"]);
    const { backups } = await answerOf<ServerHealth>("GET /health");
    expect(backups).toEqual([lines[1]!.result!]);
    const { items } = await answerOf("GET /audit", "/audit?limit=1");
    expect((items as object[])[0]).toMatchObject({
      kind: "database.backed-up",
      by: { kind: "operator", name: "owner" },
    });
  });
});
