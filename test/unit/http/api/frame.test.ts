import { describe, expect, test } from "bun:test";

import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";

import { ServiceError } from "../../../../src/domain/errors.ts";
import type { RequestId } from "../../../../src/domain/ids.ts";
import { type OperatorPermission, PERMISSIONS_OF } from "../../../../src/domain/operator/access.ts";
import { assertMatches, etagOf } from "../../../../src/http/api/etag.ts";
import { type Caller, Reply, type ReportStep, route } from "../../../../src/http/api/frame.ts";
import { type Gate, mountApi } from "../../../../src/http/api/mount.ts";
import { cursorOf, placeOf } from "../../../../src/http/api/read-call.ts";
import { problemResponse } from "../../../../src/http/errors.ts";
import { currentActorOr } from "../../../../src/store/changes/current-actor.ts";
import type { OperatorRowKey } from "../../../../src/store/interface/operators.ts";

const SERVER = { kind: "server", name: "parley" } as const;
const ANN: Caller = {
  kind: "operator",
  name: "ann",
  role: "editor",
  stored: { key: 1 as OperatorRowKey, name: "ann", role: "editor", createdAt: 0 },
  sessionHash: new Uint8Array(32),
  isFreshByLink: false,
  permissions: new Set(PERMISSIONS_OF.editor),
};
const KEY: Caller = {
  kind: "key",
  id: "k1",
  label: "nightly",
  createdBy: "ann",
  permissions: new Set(["read"]),
};

let stopped = false;
const seen: unknown[] = [];
let work: (report: ReportStep, signal: AbortSignal) => Promise<unknown> = async () => ({ made: 2 });

const ROUTES = [
  route({
    method: "PUT",
    path: "/things/:thing",
    permission: "bots.write",
    summary: "Change a thing",
    params: Type.Object({ thing: Type.String({ maxLength: 10 }) }),
    query: Type.Object({ days: Type.Optional(Type.Integer()), dry: Type.Optional(Type.Boolean()) }),
    body: Type.Object(
      { name: Type.String({ minLength: 1 }), at: Type.Optional(Type.Integer()) },
      { $id: "Thing" },
    ),
    response: Type.Object({ thing: Type.String(), by: Type.String() }),
    answer({ params, query, body, request, caller }) {
      assertMatches(request, 3);
      seen.push({ params, query, body, caller: caller.kind });
      return new Reply({ thing: body.name, by: currentActorOr(SERVER).name }, { etag: etagOf(4) });
    },
  }),
  route({
    method: "POST",
    path: "/works",
    permission: "read",
    summary: "Work",
    produces: "progress",
    response: Type.Object({ made: Type.Integer() }),
    answer: (call) => call.progress((report, signal) => work(report, signal)),
  }),
  route({
    method: "POST",
    path: "/doors",
    permission: "anyone",
    summary: "Knock",
    answer: ({ caller }) => expect(caller).toBeUndefined(),
  }),
  route({
    method: "POST",
    path: "/files",
    permission: "bots.write",
    summary: "Upload",
    multipart: true,
    maxBodyBytes: 500,
    response: Type.Object({ text: Type.String() }),
    answer: async (call) => ({ text: await ((await call.readForm()).get("file") as unknown as File).text() }),
  }),
];

function appFor(caller: Caller | undefined) {
  const gate: Gate = {
    assertOpen: () => Promise.resolve(),
    identify: () => Promise.resolve(caller),
    invitation: () => Promise.resolve("Sign in."),
  };
  const factsOf = () => ({ requestId: "rq_1" as RequestId, clientAddress: "127.0.0.1", keepOpen: () => {} });
  const log = { warn: () => {}, error: () => {} };
  return new Elysia()
    .onError(({ error }) => problemResponse(error, "rq_1" as RequestId))
    .use(mountApi(ROUTES, { gate, log, factsOf }));
}

const OWN = { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" };

async function ask(
  caller: Caller | undefined,
  method: string,
  path: string,
  { headers = OWN, body }: { headers?: Record<string, string>; body?: unknown } = {},
) {
  const request = new Request(`http://localhost:8788${path}`, {
    method,
    headers: { Host: "localhost:8788", ...headers },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });
  return appFor(caller).handle(request);
}

const put = (
  caller: Caller | undefined,
  headers: Record<string, string> = {},
  body: unknown = { name: "x" },
) =>
  ask(caller, "PUT", "/api/v1/things/a?days=7&dry=true", {
    headers: { ...OWN, "If-Match": '"v3"', ...headers },
    body,
  });

const codeOf = async (response: Response) => [
  response.status,
  ((await response.json()) as { code: string }).code,
];

describe("a route of the operator API", () => {
  test("gets what its schemas parsed, and its changes are recorded in the name of who asks", async () => {
    seen.length = 0;
    const response = await put(ANN);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ thing: "x", by: "ann" });
    expect(response.headers.get("etag")).toBe('"v4"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(seen).toEqual([
      { params: { thing: "a" }, query: { days: 7, dry: true }, body: { name: "x" }, caller: "operator" },
    ]);
    expect(currentActorOr(SERVER)).toBe(SERVER);
  });

  test.each([
    ["nobody", undefined, 401, "UNAUTHORIZED"],
    ["a key without the permission", KEY, 403, "FORBIDDEN"],
  ])("refuses %s before it reads the body", async (_who, caller, status, code) => {
    expect(await codeOf(await put(caller, {}, {}))).toEqual([status, code]);
  });

  test.each([
    [{}, ["/name"]],
    [{ name: "" }, ["/name"]],
    [{ name: "x", att: 3 }, ["/att"]],
    [{ name: "a\0b" }, ["/name"]],
    [{ name: "\ud800" }, ["/name"]],
    [[], [""]],
  ])("refuses the body %j, and says where", async (body, pointers) => {
    const response = await put(ANN, {}, body);
    expect(response.status).toBe(400);
    const { errors } = (await response.json()) as { errors: { pointer: string }[] };
    expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test("refuses unknown and malformed query parameters", async () => {
    const options = { headers: { ...OWN, "If-Match": '"v3"' }, body: { name: "x" } };
    for (const query of ["dais=7", "days=seven", "days=7&days=8x&x"]) {
      expect((await ask(ANN, "PUT", `/api/v1/things/a?${query}`, options)).status).toBe(400);
    }
  });

  test("wants If-Match with what is there", async () => {
    const without = await ask(ANN, "PUT", "/api/v1/things/a", { body: { name: "x" } });
    expect(await codeOf(without)).toEqual([428, "PRECONDITION_REQUIRED"]);
    const stale = await put(ANN, { "If-Match": '"v2"' });
    expect(stale.headers.get("etag")).toBe('"v3"');
    expect(await codeOf(stale)).toEqual([412, "CONFLICT"]);
    expect((await put(ANN, { "If-Match": "*" })).status).toBe(412);
    expect((await put(ANN, { "If-Match": '"v1", "v3"' })).status).toBe(200);
  });

  test("takes writes of a session from its own pages only", async () => {
    for (const site of ["cross-site", "same-site", "none"]) {
      expect(await codeOf(await put(ANN, { "Sec-Fetch-Site": site }))).toEqual([403, "FORBIDDEN"]);
    }
    const plain = { "Content-Type": "application/json", "If-Match": '"v3"' };
    const from = async (origin?: string) =>
      (
        await ask(ANN, "PUT", "/api/v1/things/a", {
          headers: { ...plain, ...(origin && { Origin: origin }) },
          body: { name: "x" },
        })
      ).status;
    expect(await from()).toBe(403);
    expect(await from("http://localhost:8788")).toBe(200);
    expect(await from("http://localhost:8787")).toBe(403);
    expect(await from("https://evil.test")).toBe(403);
    expect(await from("null")).toBe(403);
  });

  test("takes writes by key from anywhere, and knocks from its own pages only", async () => {
    const key: Caller = { ...KEY, permissions: new Set<OperatorPermission>(["bots.write"]) };
    const response = await put(key, { "Sec-Fetch-Site": "cross-site" });
    expect(await response.json()).toEqual({ thing: "x", by: "nightly (k1)" });
    expect((await ask(undefined, "POST", "/api/v1/doors")).status).toBe(204);
    expect((await ask(undefined, "POST", "/api/v1/doors", { headers: {} })).status).toBe(403);
  });

  test("reads an upload up to its own bound", async () => {
    const form = (size: number) => {
      const data = new FormData();
      data.set("file", new File(["x".repeat(size)], "a.txt"));
      return data;
    };
    const headers = { "Sec-Fetch-Site": "same-origin" };
    const small = await ask(ANN, "POST", "/api/v1/files", { headers, body: form(20) });
    expect(await small.json()).toEqual({ text: "x".repeat(20) });
    expect((await ask(ANN, "POST", "/api/v1/files", { headers, body: form(600) })).status).toBe(413);
  });
});

describe("progress", () => {
  const linesOf = async (response: Response) =>
    (await response.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);

  test("is a line for each step, then the result", async () => {
    work = async (report) => {
      report("read", 1, 2);
      await Bun.sleep(1);
      report("read", 2, 2);
      return { made: 2 };
    };
    const response = await ask(KEY, "POST", "/api/v1/works");
    expect(response.headers.get("content-type")).toStartWith("application/x-ndjson");
    expect(await linesOf(response)).toEqual([
      { kind: "step", step: "read", done: 1, of: 2 },
      { kind: "step", step: "read", done: 2, of: 2 },
      { kind: "result", result: { made: 2 } },
    ]);
  });

  test("tells how far a step is no more often than every 5 % of it", async () => {
    work = async (report) => {
      for (let done = 0; done <= 1000; done += 1) report("read", done, 1000);
      report("wait", 0, 0);
      for (let done = 0; done <= 3; done += 1) report("test", done, 3);
      return { made: 1 };
    };
    const lines = (await linesOf(await ask(KEY, "POST", "/api/v1/works"))) as {
      step?: string;
      done: number;
    }[];
    const doneOf = (name: string) => lines.flatMap(({ step, done }) => (step === name ? [done] : []));
    expect(doneOf("read")).toEqual(Array.from({ length: 21 }, (_, n) => n * 50));
    expect([doneOf("wait"), doneOf("test")]).toEqual([[0], [0, 1, 2, 3]]);
  });

  test("ends with what went wrong, and tells nothing of a defect", async () => {
    work = () => Promise.reject(new ServiceError("NOT_FOUND", "There is no such thing."));
    expect(await linesOf(await ask(KEY, "POST", "/api/v1/works"))).toEqual([
      { kind: "problem", code: "NOT_FOUND", detail: "There is no such thing." },
    ]);
    work = () => Promise.reject(new Error("secret"));
    const [line] = await linesOf(await ask(KEY, "POST", "/api/v1/works"));
    expect(line).toMatchObject({ kind: "problem", code: "INTERNAL_ERROR" });
    expect(JSON.stringify(line)).not.toContain("secret");
  });

  test("stops when the connection is gone", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    work = async (report, signal) => {
      signal.addEventListener("abort", () => resolve("stopped"));
      report("begun", 0, 1);
      return promise;
    };
    const app = appFor(KEY);
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => app.handle(request),
    });
    const leaving = new AbortController();
    const response = await fetch(`${server.url}api/v1/works`, { method: "POST", signal: leaving.signal });
    await response.body!.getReader().read();
    leaving.abort();
    expect(await promise).toBe("stopped");
  });

  test("stops when the reader goes", async () => {
    stopped = false;
    work = (_report, signal) =>
      new Promise((resolve) => {
        signal.addEventListener("abort", () => {
          stopped = true;
          resolve(undefined);
        });
      });
    const response = await ask(KEY, "POST", "/api/v1/works");
    await response.body!.cancel();
    expect(stopped).toBe(true);
  });
});

describe("a cursor", () => {
  const Place = Type.Tuple([Type.Integer(), Type.String()]);

  test("comes back as the place that it was made of", () => {
    expect(placeOf(Place, cursorOf([7, "ü"]))).toEqual([7, "ü"]);
  });

  test.each(["", "%%%", "e30", cursorOf([1, 2])])("%p is none", (text) => {
    expect(() => placeOf(Place, text)).toThrow(ServiceError);
  });
});

describe("the OpenAPI document", () => {
  test("has every route, with its permission, and every shape by its name", async () => {
    const response = await ask(undefined, "GET", "/api/openapi.json");
    const document = (await response.json()) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
      components: { schemas: Record<string, unknown> };
    };
    expect(Object.keys(document.paths)).toEqual([
      "/api/v1/things/{thing}",
      "/api/v1/works",
      "/api/v1/doors",
      "/api/v1/files",
    ]);
    expect(document.paths["/api/v1/things/{thing}"]!.put).toMatchObject({
      operationId: "putThingsByThing",
      "x-permission": "bots.write",
      requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
    });
    expect(Object.keys(document.components.schemas)).toEqual(["Problem", "Thing"]);
    expect(JSON.stringify(document)).not.toContain("$id");
  });
});
