import type { AnswerOf, InputOf, ResultOf, RouteName, StreamedName } from "../../src/console/api/routes.ts";
import { consoleAssets } from "../../src/console/assets.ts";
import type { Role } from "../../src/domain/operator/access.ts";
import type { HandoffRow } from "../../src/domain/operator/handoffs.ts";
import { consoleResponder } from "../../src/http/console.ts";
import * as samples from "./console-data.ts";

/** A stand-in for the operator listener, for states that are rare in a real one. */
export interface ConsoleService extends AsyncDisposable {
  readonly url: string;
  /** Every request of the API so far, such as `GET /tokens`. */
  readonly calls: string[];
  /** Role of the signed-in operator; undefined: nobody is signed in. */
  role: Role | undefined;
  hasPassword: boolean;
  /** Answers that replace the samples, by `GET /tokens`; the path has no query. */
  readonly answers: Map<string, (request: Request) => Response | Promise<Response>>;
}

/** Delays of answers in turn, so that the order of answers differs from that of requests. */
const DELAYS_MS = [12, 0, 25, 4];

/** An answer of the operator API, with the type of its route. */
export function answerTo<Name extends RouteName>(
  _route: Name,
  answer: AnswerOf<Name>,
  headers: Record<string, string> = {},
): Response {
  return answer === undefined
    ? new Response(null, { status: 204, headers })
    : Response.json(answer, { headers });
}

/** An NDJSON answer with one step before its result. */
export function streamTo<Name extends StreamedName>(_route: Name, result: ResultOf<Name>): Response {
  const lines = [
    { kind: "step", step: "working", done: 1, of: 2 },
    { kind: "result", result },
  ];
  return new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(""), {
    headers: { "Content-Type": "application/x-ndjson" },
  });
}

/** The body of a request. */
export async function bodyOf<Name extends RouteName>(
  _route: Name,
  request: Request,
): Promise<InputOf<Name> extends { body: infer Body } ? Body : never> {
  return (await request.json()) as never;
}

const REQUEST_ID = "rq_00Vbf51Ochlx5kFaZAvRxAUl6TDFpIA";

/** A problem document of the operator API. */
export function apiProblem(status: number, code: string, detail: string): Response {
  const body = { type: "about:blank", title: code, status, code, detail, requestId: REQUEST_ID };
  return Response.json(body, {
    status,
    headers: { "Content-Type": "application/problem+json", "X-Request-Id": REQUEST_ID },
  });
}

type Answer = (url: URL, request: Request, service: ConsoleService) => Response | Promise<Response>;

const ANSWERS: Readonly<Record<string, Answer>> = {
  "GET /overview": ({ searchParams }) =>
    answerTo("GET /overview", samples.overviewOf(searchParams.get("compare") === "1")),
  "GET /bots": () => answerTo("GET /bots", { items: samples.BOTS }),
  "GET /conversations": ({ searchParams }) => answerTo("GET /conversations", conversationPage(searchParams)),
  "DELETE /conversations": () => answerTo("DELETE /conversations/:id", undefined),
  "GET /turns": () => answerTo("GET /turns/:requestId/explanation", samples.EXPLANATION),
  "GET /deliveries": ({ searchParams: query }) => {
    const asked = (["bot", "state", "event"] as const).filter((name) => query.has(name));
    const rows = samples.DELIVERIES.filter((row) => asked.every((name) => row[name] === query.get(name)));
    return answerTo("GET /deliveries", { items: rows, next: null });
  },
  "POST /deliveries/resend": () => answerTo("POST /deliveries/:id/resend", undefined),
  "GET /handoffs": ({ pathname, searchParams }) => answerHandoff(pathname.split("/")[4], searchParams),
  "GET /handoffs/events": ({ pathname, searchParams }) => {
    const events = pathname.includes("ho_4") ? samples.HANDOFF_EVENTS : [];
    const newer = events.filter(({ number }) => number > Number(searchParams.get("after")));
    return answerTo("GET /handoffs/:id/events", { items: newer });
  },
  "GET /tokens": () => answerTo("GET /tokens", { items: samples.TOKENS }),
  "POST /tokens": async (_, request) => {
    const body = await bodyOf("POST /tokens", request);
    const token = `parley_et_${"a1B2".repeat(9)}`;
    const snippet = `<script src="https://chat.example/cdn/widget.js"\n  data-bot-id="${body.bots[0]}"\n  data-token="${token}" async></script>`;
    return answerTo("POST /tokens", { ...samples.TOKENS[0]!, ...body, id: "tk_new1", token, snippet });
  },
  "POST /tokens/revoke": () =>
    answerTo("POST /tokens/:id/revoke", { ...samples.TOKENS[0]!, revokedAt: samples.NOW }),
  "GET /models": () => answerTo("GET /models", { items: samples.MODELS }),
  "POST /models/check": () =>
    answerTo("POST /models/:name/check", { ok: true, message: "answered “OK”", milliseconds: 812 }),
  "GET /audit": () => answerTo("GET /audit", { items: samples.AUDIT, next: null }),
  "GET /health": () => answerTo("GET /health", samples.HEALTH),
  "POST /backups": () =>
    streamTo("POST /backups", { name: "parley-new.db", at: samples.NOW, bytes: 1_402_100_000 }),
  "GET /operators": () => answerTo("GET /operators", { items: samples.OPERATORS }),
  "POST /operators": async (_, request) => {
    const body = await bodyOf("POST /operators", request);
    return answerTo("POST /operators", {
      operator: { ...body, createdAt: samples.NOW, hasPassword: false },
      link: { url: "http://localhost:7601/sign-in#parley_link_sample", expiresAt: samples.NOW + 900_000 },
    });
  },
  "GET /keys": () => answerTo("GET /keys", { items: samples.KEYS }),
  "POST /keys": async (_, request) => {
    const body = await bodyOf("POST /keys", request);
    const key = `parley_op_${"k9".repeat(18)}`;
    return answerTo("POST /keys", { ...samples.KEYS[0]!, ...body, id: "ok_new1", key });
  },
};

const waits = ({ state, givenBackAt }: HandoffRow) => state === "open" && givenBackAt === undefined;

function answerHandoff(id: string | undefined, query: URLSearchParams): Response {
  const all = samples.HANDOFFS;
  if (id === "count")
    return answerTo("GET /handoffs/count", { waiting: all.filter(waits).length, failedNotices: 0 });
  if (id !== undefined) {
    const found = all.find((row) => row.id === id);
    if (found === undefined) return apiProblem(404, "NOT_FOUND", "There is no such hand-off.");
    return answerTo("GET /handoffs/:id", { ...found, mayTake: true });
  }
  const [state, waiting] = [query.get("state"), query.get("waiting")];
  const rows = all.filter(
    (row) =>
      (state === null || row.state === state) &&
      (waiting === null || (row.state === "open" && waits(row) === (waiting === "1"))),
  );
  return answerTo("GET /handoffs", { items: waiting === "1" ? rows : rows.toReversed(), next: null });
}

function conversationPage(query: URLSearchParams): AnswerOf<"GET /conversations"> {
  const all = query.has("newer") ? [samples.NEWER] : samples.CONVERSATIONS;
  const matching = all.filter(
    ({ bot, latest, unhelpful }) =>
      (query.get("rating") !== "down" || unhelpful > 0) &&
      (!query.has("bot") || query.get("bot") === bot) &&
      (!query.has("decision") || query.get("decision") === latest.outcome) &&
      (!query.has("q") || latest.input!.includes(query.get("q")!)),
  );
  if (query.has("newer"))
    return { items: query.get("newer") === "2" ? [] : matching, next: null, newest: "2" };
  return { items: matching, next: null, newest: "1" };
}

/** A path without ids: `GET /conversations/cv_1` as `GET /conversations/`; later segments stay. */
function keyOf(method: string, path: string): string {
  const [resource, id, action] = path.split("/").filter(Boolean);
  if (resource === "turns") return "GET /turns";
  if (resource === "conversations" && id !== undefined) return `${method} /conversations`;
  return `${method} /${[resource, action].filter(Boolean).join("/")}`;
}

async function answerApi(url: URL, request: Request, service: ConsoleService): Promise<Response> {
  const path = url.pathname.slice("/api/v1".length);
  const own = service.answers.get(`${request.method} ${path}`);
  if (own !== undefined) return own(request);
  if (path.startsWith("/session")) return answerSession(path, request, service);
  if (service.role === undefined) return apiProblem(401, "UNAUTHORIZED", "Nobody is signed in.");
  const conversation = /^\/conversations\/(cv_\w+)$/.exec(path)?.[1];
  if (request.method === "GET" && conversation !== undefined) {
    const found = samples.conversationOf(conversation);
    return found === undefined
      ? apiProblem(404, "NOT_FOUND", "There is no such conversation.")
      : answerTo("GET /conversations/:id", found);
  }
  const answer = ANSWERS[keyOf(request.method, path)];
  return answer === undefined
    ? apiProblem(404, "NOT_FOUND", "There is no such route.")
    : answer(url, request, service);
}

async function answerSession(path: string, request: Request, service: ConsoleService): Promise<Response> {
  if (request.method === "DELETE") service.role = undefined;
  if (request.method === "DELETE") return answerTo("DELETE /session", undefined);
  if (request.method === "PUT") service.hasPassword = true;
  if (request.method === "POST") {
    const { secret, password } = (await request.json()) as { secret?: string; password?: string };
    const isRight = path === "/session/link" ? secret === "good" : password === "correct horse battery";
    if (!isRight)
      return apiProblem(401, "UNAUTHORIZED", "The name or the password is wrong, or the link was used.");
    service.role ??= "owner";
  }
  if (service.role === undefined) return apiProblem(401, "UNAUTHORIZED", "Nobody is signed in.");
  return answerTo("GET /session", samples.sessionOf(service.role, service.hasPassword));
}

/** Serves the console as the operator listener does, with the samples. */
export async function startConsoleService(): Promise<ConsoleService> {
  const respond = consoleResponder(await consoleAssets(), () => "https://chat.example");
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      if (!url.pathname.startsWith("/api/v1/"))
        return respond(request) ?? new Response(null, { status: 404 });
      service.calls.push(`${request.method} ${url.pathname.slice("/api/v1".length)}`);
      const delayMs = DELAYS_MS[service.calls.length % DELAYS_MS.length]!;
      const answer = await answerApi(url, request, service);
      await Bun.sleep(delayMs);
      return answer;
    },
  });
  const service: ConsoleService = {
    url: server.url.origin,
    calls: [],
    role: "owner",
    hasPassword: true,
    answers: new Map(),
    async [Symbol.asyncDispose]() {
      await server.stop(true);
    },
  };
  return service;
}
