import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { PERMISSIONS } from "../../src/domain/operator/access.ts";
import { SESSION_IDLE_MS } from "../../src/store/interface/operators.ts";
import {
  OWN_PAGE,
  TestOperator,
  cookieOf,
  keyOf,
  linkSecretOf,
  nobody,
  signIn,
} from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const PASSWORD = "correct horse battery";
const lines: Record<string, unknown>[] = [];
let parley: TestParley;

beforeAll(async () => {
  parley = await startParley({ onLog: (line) => lines.push(line) });
});
afterAll(() => parley[Symbol.asyncDispose]());

const codeOf = async (response: Response) => [
  response.status,
  response.ok ? "" : ((await response.json()) as { code: string }).code,
];
const byPassword = (name: string, password: string, headers: Record<string, string> = {}) =>
  nobody(parley).ask("POST", "/session", { body: { name, password }, headers });
const byLink = (secret: string, headers: Record<string, string> = {}) =>
  nobody(parley).ask("POST", "/session/link", { body: { secret }, headers });
const withPassword = async (name: string): Promise<TestOperator> => {
  const operator = await signIn(parley, name, "viewer");
  const response = await operator.ask("PUT", "/session/password", { body: { password: PASSWORD } });
  return new TestOperator(parley, { Cookie: cookieOf(response) });
};

describe("signing in", () => {
  test("by a link begins a session, which says who it is", async () => {
    const operator = await signIn(parley, "ann@example.com", "owner");
    expect(await operator.json("GET", "/session")).toEqual({
      operator: { name: "ann@example.com", role: "owner" },
      permissions: [...PERMISSIONS],
      hasPassword: false,
      version: expect.any(String),
      publicUrl: parley.server.publicUrl,
    });
  });

  test("by a link works once, and its cookie is out of reach of scripts and other sites", async () => {
    await parley.store.operators.add({ name: "once", role: "viewer" });
    const secret = await linkSecretOf(parley, "once");
    const first = await byLink(secret);
    expect(first.status).toBe(200);
    expect(first.headers.get("set-cookie")).toMatch(
      /^parley_session=\w{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    const second = await byLink(secret);
    expect(second.headers.get("set-cookie")).toBeNull();
    expect(await codeOf(second)).toEqual([401, "UNAUTHORIZED"]);
  });

  test.each(["", "x", "A".repeat(43), "' OR 1=1 --"])("by the wrong secret %p does not", async (secret) => {
    const [status] = await codeOf(await byLink(secret));
    expect([400, 401]).toContain(status as number);
  });

  test("by a password works whatever the case of the name, and leaves a trace", async () => {
    await withPassword("Bob");
    const response = await byPassword("bob", PASSWORD);
    expect(response.status).toBe(200);
    const operator = new TestOperator(parley, { Cookie: cookieOf(response) });
    expect(await operator.json("GET", "/session")).toMatchObject({
      operator: { name: "Bob" },
      hasPassword: true,
    });
    const [latest] = await parley.store.changes.list({ limit: 1 });
    expect(latest).toMatchObject({
      kind: "operator.signed-in",
      subject: "Bob",
      by: { kind: "operator", name: "Bob" },
    });
  });

  test("tells nobody which names there are", async () => {
    await signIn(parley, "linked-only", "viewer");
    const answers = await Promise.all(
      ["Bob", "linked-only", "no-such-operator"].map(async (name) => {
        const { requestId: _, ...problem } = (await (
          await byPassword(name, "wrong password")
        ).json()) as Record<string, unknown>;
        return problem;
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 401, detail: "The name or the password is wrong." });
  });

  test("makes a session of its own: what a browser was given before leads nowhere", async () => {
    const planted = `parley_session=${"A".repeat(43)}`;
    await parley.store.operators.add({ name: "fixed", role: "owner" });
    const response = await byLink(await linkSecretOf(parley, "fixed"), { Cookie: planted });
    expect(cookieOf(response)).not.toBe(planted);
    const attacker = new TestOperator(parley, { Cookie: planted });
    expect(await codeOf(await attacker.ask("GET", "/session"))).toEqual([401, "UNAUTHORIZED"]);
  });

  test("ends the session that the browser had before", async () => {
    const earlier = await signIn(parley, "twice", "viewer");
    const again = await byLink(await linkSecretOf(parley, "twice"), earlier.credentials);
    expect(again.status).toBe(200);
    expect((await earlier.ask("GET", "/session")).status).toBe(401);
  });

  test("trusts no cookie where there are two of the name", async () => {
    const { Cookie } = (await signIn(parley, "doubled", "viewer")).credentials;
    const doubled = new TestOperator(parley, { Cookie: `${Cookie}; parley_session=${"B".repeat(43)}` });
    expect((await doubled.ask("GET", "/session")).status).toBe(401);
  });

  test.each([
    ["another site", { "Sec-Fetch-Site": "cross-site" }],
    ["another port of this machine", { "Sec-Fetch-Site": "same-site" }],
  ])("is not done by %s", async (_who, headers) => {
    expect(await codeOf(await byPassword("Bob", PASSWORD, headers))).toEqual([403, "FORBIDDEN"]);
  });

  test("a key does not do it", async () => {
    const key = await keyOf(parley, await signIn(parley, "keeper"), ["read"]);
    const response = await key.ask("POST", "/session", { body: { name: "Bob", password: PASSWORD } });
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(await codeOf(response)).toEqual([403, "FORBIDDEN"]);
  });
});

describe("guessing passwords", () => {
  test("is slowed down for the name, whatever the case, and the right one has to wait, too; a link does not", async () => {
    await withPassword("target");
    const answers: unknown[] = [];
    for (let tries = 0; tries < 11; tries += 1) {
      answers.push((await byPassword(tries % 2 === 0 ? "target" : "TARGET", `guess ${tries}`)).status);
    }
    expect(answers.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
    expect(answers[10]).toBe(429);
    const right = await byPassword("target", PASSWORD);
    expect(right.status).toBe(429);
    expect(Number(right.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await signIn(parley, "target")).credentials).toBeDefined();
  });

  test("is slowed down for the address, whatever the names", async () => {
    await using other = await startParley();
    const statuses = new Set<number>();
    for (let tries = 0; tries < 31; tries += 1) {
      const response = await nobody(other).ask("POST", "/session/link", { body: { secret: `${tries}` } });
      statuses.add(response.status);
    }
    expect([...statuses]).toEqual([401, 429]);
  });
});

describe("a password", () => {
  test("is set without another right after a link, and ends all other sessions", async () => {
    const first = await signIn(parley, "carl", "viewer");
    const second = await signIn(parley, "carl", "viewer");
    const response = await second.ask("PUT", "/session/password", { body: { password: PASSWORD } });
    expect(await response.json()).toMatchObject({ hasPassword: true });
    for (const ended of [first, second]) expect((await ended.ask("GET", "/session")).status).toBe(401);
    const third = new TestOperator(parley, { Cookie: cookieOf(response) });
    expect((await third.ask("GET", "/session")).status).toBe(200);
  });

  test("is changed with the current one only, where that was used to sign in", async () => {
    const operator = await withPassword("dora");
    const change = (current?: string) =>
      operator.ask("PUT", "/session/password", {
        body: { password: "another password", ...(current && { current }) },
      });
    expect(await codeOf(await change())).toEqual([403, "FORBIDDEN"]);
    expect(await codeOf(await change("wrong password"))).toEqual([403, "FORBIDDEN"]);
    expect((await change(PASSWORD)).status).toBe(200);
    expect((await byPassword("dora", PASSWORD)).status).toBe(401);
    expect((await byPassword("dora", "another password")).status).toBe(200);
  });

  test("is changed with the current one only, once a link has signed in longer ago than links are good for", async () => {
    const clock = { now: Date.now() };
    await using other = await startParley({ parts: { now: () => clock.now } });
    const first = await signIn(other, "fay");
    await first.ask("PUT", "/session/password", { body: { password: PASSWORD } });
    const operator = await signIn(other, "fay");
    clock.now += 15 * 60_000;
    const change = (current?: string) =>
      operator.ask("PUT", "/session/password", {
        body: { password: "another password", ...(current && { current }) },
      });
    expect(await codeOf(await change())).toEqual([403, "FORBIDDEN"]);
    expect((await change(PASSWORD)).status).toBe(200);
  });

  test("is forgotten without harm: a link needs none", async () => {
    await withPassword("erin");
    const operator = await signIn(parley, "erin");
    const response = await operator.ask("PUT", "/session/password", { body: { password: "a new password" } });
    expect(response.status).toBe(200);
    expect((await byPassword("erin", "a new password")).status).toBe(200);
  });

  test("has twelve characters at least", async () => {
    const operator = await signIn(parley, "short", "viewer");
    const response = await operator.ask("PUT", "/session/password", { body: { password: "elevenchars" } });
    expect(await codeOf(response)).toEqual([400, "INVALID_REQUEST"]);
  });

  test("is not one repeated character or a run, and the answer says so", async () => {
    const operator = await signIn(parley, "simple", "viewer");
    for (const password of ["aaaaaaaaaaaa", "123456789012", "lkjhgfdsapoiuytrewq"]) {
      const response = await operator.ask("PUT", "/session/password", { body: { password } });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("too easy to guess: it is one character repeated, or a run");
    }
  });
});

describe("a session", () => {
  test("ends when its operator signs out", async () => {
    const operator = await signIn(parley, "leaver", "viewer");
    const response = await operator.ask("DELETE", "/session");
    expect(response.status).toBe(204);
    expect(response.headers.get("set-cookie")).toStartWith("parley_session=; Max-Age=0;");
    expect((await operator.ask("GET", "/session")).status).toBe(401);
  });

  test("ends at once when its operator is given another role, or removed", async () => {
    const owner = await signIn(parley, "boss");
    const operator = await signIn(parley, "moved", "editor");
    await owner.json("PATCH", "/operators/moved", { role: "viewer" });
    expect((await operator.ask("GET", "/session")).status).toBe(401);
    const again = await signIn(parley, "moved");
    expect(await again.json("GET", "/session")).toMatchObject({ permissions: ["read"] });
    await owner.json("DELETE", "/operators/moved");
    expect((await again.ask("GET", "/session")).status).toBe(401);
  });

  test("outlives the server, and is known to another one on the same store", async () => {
    const clock = { now: Date.now() };
    await using other = await startParley({ parts: { now: () => clock.now } });
    const operator = await signIn(other, "stayer", "viewer");
    expect((await operator.ask("GET", "/session")).status).toBe(200);
    clock.now += SESSION_IDLE_MS - 60_000;
    expect((await operator.ask("GET", "/session")).status).toBe(200);
    clock.now += SESSION_IDLE_MS - 60_000;
    expect((await operator.ask("GET", "/session")).status).toBe(200);
    clock.now += SESSION_IDLE_MS;
    expect((await operator.ask("GET", "/session")).status).toBe(401);
  });
});

describe("over https", () => {
  test("the cookie is for https alone, and for this host", async () => {
    await using secure = await startParley({ flags: { operatorUrl: "https://operator.example" } });
    await secure.store.operators.add({ name: "ann", role: "owner" });
    const secret = await linkSecretOf(secure, "ann");
    const response = await nobody(secure).ask("POST", "/session/link", { body: { secret } });
    expect(response.headers.get("set-cookie")).toMatch(/^__Host-parley_session=.*; Path=\/; .*; Secure$/);
    const weak = cookieOf(response).replace("__Host-", "");
    expect((await new TestOperator(secure, { Cookie: weak }).ask("GET", "/session")).status).toBe(401);
    const plain = { Origin: "https://operator.example", Cookie: cookieOf(response) };
    const answer = await fetch(`${secure.server.localOperatorUrl}/api/v1/session`, {
      method: "DELETE",
      headers: plain,
    });
    expect(answer.status).toBe(204);
  });
});

test("neither log nor audit holds a password, a link, a session or a key", async () => {
  const operator = await signIn(parley, "secretive");
  const secret = await linkSecretOf(parley, "secretive");
  await byLink(`${secret}x`);
  await byPassword("secretive", "canary password");
  await operator.ask("PUT", "/session/password", { body: { password: "canary password 2" } });
  const key = await keyOf(parley, await signIn(parley, "secretive"), ["read"]);
  await key.ask("DELETE", "/keys/x");
  await fetch(`${parley.server.localOperatorUrl}/api/v1/session`, {
    headers: { ...OWN_PAGE, Authorization: `${key.credentials["Authorization"]}x` },
  });
  const told = JSON.stringify([lines, await parley.store.changes.list({ limit: 1000 })]);
  expect(told).toContain("operator request refused");
  for (const text of [
    "canary",
    "argon2id",
    secret,
    operator.credentials["Cookie"]!.slice(15),
    "parley_op_",
  ]) {
    expect(told).not.toContain(text);
  }
});
