import * as fc from "fast-check";

import { anyNumberText, anyText, anyValue, deepJson } from "./odd.ts";

/** What a request is made from. */
export interface Target {
  token: string;
  botIds: readonly string[];
  /** Of an operator who may do all that is tried. */
  operatorKey: string;
  /** A bot that operators may change and delete, as it was written. */
  changedBot: { id: string; yaml: string };
  /** Hand-offs of that bot. */
  handoffIds: readonly string[];
}

/** The bytes of a request, and whether a server may rightly wait for more. */
export interface RawRequest {
  bytes: Buffer;
  isUnfinished: boolean;
  /** Undefined: whichever it is sent to. */
  listener?: "public" | "operator";
}

const METHODS = ["GET", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE", "BREW", "get", "CONNECT"];
const PATHS = [
  "/chat",
  "/embed-config",
  "/healthz",
  "/readyz",
  "/openapi.json",
  "/metrics",
  "/cdn/widget.js",
  "/demo/acme-support",
  "/",
  "*",
  "//chat",
  "/chat/",
  "/chat/../chat",
  "/%63hat",
  "/chat%00",
  "http://evil.example/chat",
  "/demo/%ff",
  "/demo/%",
  "/cdn/../../etc/passwd",
];

export const headerText = anyText.map((text) => text.replaceAll(/[\r\n]/g, " ").slice(0, 2000));

function oddHeaders({ token }: Pick<Target, "token">): fc.Arbitrary<[string, string]> {
  const value = (...usual: string[]) => fc.oneof(fc.constantFrom(...usual), headerText);
  const address = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.constantFrom("2001:db8:1:2::1.2.3.4", "[::1]:80", "::ffff:1.2.3.4%eth0"),
  );
  const addresses = fc.array(fc.oneof(address, headerText), { maxLength: 4 }).map((list) => list.join(", "));
  const named = (name: string, text: fc.Arbitrary<string>) =>
    text.map((made): [string, string] => [name, made]);
  return fc.oneof(
    named("X-Forwarded-For", addresses),
    named("Forwarded", addresses),
    named("Host", value("localhost", "evil.example", "[::1]", "a:b:c", "localhost:99999999")),
    named(
      "Origin",
      value(
        "https://acme.example",
        "null",
        "http://localhost:1",
        "https://acme.example.evil",
        "https://user@acme.example",
      ),
    ),
    named("Referer", value("https://acme.example/x", "file:///etc", "https://")),
    named("Idempotency-Key", value("one", "a".repeat(256), '"quoted"')),
    named(
      "Authorization",
      value(
        `Bearer ${token}`,
        "Bearer",
        `bearer  ${token}`,
        "Basic eDp5",
        `Bearer ${token}x`,
        "Bearer a, Bearer b",
      ),
    ),
    named(
      "Content-Type",
      value(
        "application/json",
        "text/plain",
        "application/json; charset=utf-16",
        "multipart/form-data",
        "application/json;;;",
      ),
    ),
    named("Accept", value("text/event-stream", "application/json", "*/*;q=0", "text/event-stream;q=x")),
    named("Content-Encoding", value("gzip", "br", "identity")),
    named("Expect", value("100-continue", "200-ok")),
    named("Connection", value("keep-alive", "Upgrade", "close, close")),
    named("Upgrade", value("websocket", "h2c")),
    named("Range", value("bytes=0-0", "bytes=-1", "bytes=9-1")),
    named("If-None-Match", value("*", 'W/"x"')),
    named("Cookie", headerText),
    fc.tuple(
      fc.constantFrom("__proto__", "constructor", "x y", "", ":", "X-Forwarded-Host", "x".repeat(300)),
      headerText,
    ),
  );
}

/** The body of a message as JSON text, right or nearly so. */
function chatBody({ botIds }: Pick<Target, "botIds">): fc.Arbitrary<string> {
  const right = fc.record(
    {
      botId: fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...botIds) },
        { weight: 1, arbitrary: anyText },
      ),
      input: fc.oneof(anyText, fc.constantFrom("where is my order", "delete my account", "hi", "yes", "1")),
      conversationId: fc.oneof(anyText, fc.constant("cv_00VbaHXzb0zIrIMn3hEwNc23bLzdDiB")),
    },
    { requiredKeys: ["botId", "input"] },
  );
  const text = (value: unknown) => JSON.stringify(value) ?? "";
  return fc.oneof(
    { weight: 5, arbitrary: right.map(text) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(right, fc.dictionary(anyText, anyValue))
        .map(([body, more]) => text({ ...more, ...body })),
    },
    {
      weight: 2,
      arbitrary: fc.record({ botId: anyValue, input: anyValue, conversationId: anyValue }).map(text),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(right, fc.nat(), anyText).map(([body, at, odd]) => splice(text(body), at, odd)),
    },
    {
      weight: 1,
      arbitrary: anyNumberText.map((number) => `{"botId":"${botIds[0]}","input":"hi","n":${number}}`),
    },
    { weight: 1, arbitrary: deepJson },
    { weight: 1, arbitrary: anyValue.map(text) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        "",
        "{",
        "\u{feff}{}",
        `{"input":"${"x".repeat(70_000)}"}`,
        '{"botId":"a","botId":"b"}',
      ),
    },
  );
}

export function splice(text: string, at: number, odd: string): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + odd + text.slice(place + (at % 3));
}

/** Requests of all kinds: good heads with odd bodies, odd heads, and bytes that are hardly a request. */
export function anyRequest(target: Pick<Target, "token" | "botIds">): fc.Arbitrary<RawRequest> {
  const authorized: [string, string][] = [
    ["Host", "localhost"],
    ["Authorization", `Bearer ${target.token}`],
    ["Content-Type", "application/json"],
  ];
  const more = fc.array(oddHeaders(target), { maxLength: 4 });
  const messages = fc
    .tuple(chatBody(target), more, fc.boolean())
    .map(([body, headers, isChunked]) =>
      assemble("POST /chat HTTP/1.1", merged(authorized, headers), Buffer.from(body), isChunked),
    );
  const query = fc.oneof(
    fc.constantFrom("", ...target.botIds.map((id) => `?botId=${id}`)),
    anyText.map((text) => `?botId=${encodeURIComponent(text.toWellFormed())}`),
    headerText.map((text) => `?${text.replaceAll(" ", "+")}`),
  );
  const start = fc
    .tuple(
      fc.constantFrom(...METHODS, "GET", "GET", "GET", "POST"),
      fc.constantFrom(...PATHS),
      query,
      fc.constantFrom("HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/9.9", ""),
    )
    .map(([method, path, text, version]) => `${method} ${path}${text} ${version}`);
  const heads = fc
    .tuple(start, more, fc.oneof(fc.constant(""), anyText))
    .map(([line, headers, body]) =>
      assemble(line, merged([["Host", "localhost"]], headers), Buffer.from(body), false),
    );
  const garbled = fc
    .tuple(fc.oneof(messages, heads), fc.nat(), fc.uint8Array({ maxLength: 8 }), fc.nat({ max: 40 }))
    .map(([{ bytes }, at, odd, cut]) => garble(bytes, at, odd, cut));
  return fc.oneof(
    { weight: 6, arbitrary: messages },
    { weight: 3, arbitrary: heads },
    { weight: 1, arbitrary: garbled },
  );
}

/** A later header takes the place of an earlier one of its name, except that two in three hundred stand side by side. */
function merged(first: readonly [string, string][], more: readonly [string, string][]): [string, string][] {
  const names = new Set(more.map(([name]) => name));
  const isDoubled = more.length === 4;
  return [...first.filter(([name]) => isDoubled || !names.has(name)), ...more];
}

export function assemble(
  start: string,
  headers: readonly [string, string][],
  body: Buffer,
  isChunked: boolean,
): RawRequest {
  const framing = isChunked ? "Transfer-Encoding: chunked" : `Content-Length: ${body.length}`;
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  const head = Buffer.from([start, ...lines, framing, "Connection: close", "", ""].join("\r\n"));
  const chunks = [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")];
  const framed = isChunked ? (body.length === 0 ? [Buffer.from("0\r\n\r\n")] : chunks) : [body];
  // What else a client asks for by these may keep a connection open.
  const mayWait = headers.some(
    ([name, value]) => /^(connection|upgrade|expect)$/i.test(name) || value.includes("\0"),
  );
  return { bytes: Buffer.concat([head, ...framed]), isUnfinished: mayWait || !start.endsWith(" HTTP/1.1") };
}

function garble(bytes: Buffer, at: number, odd: Uint8Array, cut: number): RawRequest {
  const place = at % (bytes.length + 1);
  return {
    bytes: Buffer.concat([bytes.subarray(0, place), odd, bytes.subarray(place + cut)]),
    isUnfinished: true,
  };
}
