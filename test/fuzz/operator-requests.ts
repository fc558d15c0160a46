import * as fc from "fast-check";

import { anyBotFile } from "./bot-files.ts";
import { anyText, anyValue, deepJson } from "./odd.ts";
import { assemble, headerText, type RawRequest, splice, type Target } from "./requests.ts";

const PASSING = "passing";
const BOUNDARY = "----a-boundary";
const FILES = ["a.md", "a.html", "a.txt", "a.csv", "a.json", "a.pdf", "a.docx", "a.exe", "../a.md", "a"];
const DOCUMENT = "# Returns\n\n## How long\n\nThirty days.\n\n## Shoes\n\nNo shoes.\n";

/** A request before it has its bytes. */
interface Draft {
  listener: "public" | "operator";
  line: string;
  headers: [string, string][];
  body: Buffer;
}

/** Publishing, drafts, uploads and hand-offs: with a key and without, right or nearly so. */
export function anyOperatorRequest(target: Target): fc.Arbitrary<RawRequest> {
  const draft = fc.oneof(
    { weight: 3, arbitrary: botRequest(target) },
    { weight: 2, arbitrary: draftRequest(target) },
    { weight: 1, arbitrary: readingRequest(target) },
    { weight: 1, arbitrary: uploadRequest(target) },
    { weight: 3, arbitrary: handoffRequest(target) },
    { weight: 2, arbitrary: visitorsRequest(target) },
  );
  return fc
    .tuple(draft, fc.array(oddHeader(target), { maxLength: 1 }), fc.boolean())
    .map(([{ listener, line, headers, body }, odd, isChunked]) => {
      const names = new Set(odd.map(([name]) => name));
      const secret = listener === "operator" ? target.operatorKey : target.token;
      const usual: [string, string][] = [
        ["Host", "localhost"],
        ["Authorization", `Bearer ${secret}`],
        ...headers,
      ];
      const kept = usual.filter(([name]) => !names.has(name));
      return { ...assemble(`${line} HTTP/1.1`, [...kept, ...odd], body, isChunked), listener };
    });
}

/** Half of them change nothing: an authorization that is no better, or a header that nobody asked for. */
function oddHeader({ token, operatorKey }: Target): fc.Arbitrary<[string, string]> {
  const named = (name: string, text: fc.Arbitrary<string>) =>
    text.map((made): [string, string] => [name, made]);
  return fc.oneof(
    named(
      "Authorization",
      fc.constantFrom("", `Bearer ${token}`, `Bearer ${operatorKey}x`, "Bearer parley_op_", "Basic eDp5"),
    ),
    named("If-Match", ifMatch),
    named("Idempotency-Key", headerText),
    named("Origin", fc.constantFrom("http://evil.example", "null")),
    named("Sec-Fetch-Site", fc.constantFrom("same-origin", "cross-site")),
    named("Cookie", headerText),
    named("Content-Type", fc.oneof(fc.constantFrom("text/plain", "multipart/form-data"), headerText)),
    named("Host", fc.constantFrom("evil.example", "127.0.0.1", "[::1]")),
  );
}

const ifMatch = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 5 }).map((version) => `"v${version}"`) },
  fc.constantFrom("*", '"v0"', '"v999999999999999"', '"v-1"', 'W/"v1"', '"v1", "v2"'),
  headerText,
);

/** Mostly what is meant. */
function mostly(right: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: fc.oneof(anyText, anyValue) });
}

const pathText = anyText.map((text) => encodeURIComponent(text.toWellFormed().slice(0, 300)));

function idOf(id: string): fc.Arbitrary<string> {
  return fc.oneof({ weight: 8, arbitrary: fc.constant(id) }, { weight: 1, arbitrary: pathText });
}

const numberText = fc.oneof(
  fc.integer({ min: 0, max: 40 }).map(String),
  fc.constantFrom("-1", "1.5", "1e99", "9007199254740993", "NaN"),
  pathText,
);

/** JSON, right or with something in it that does not belong there. */
function bodyOf(right: fc.Arbitrary<unknown>): fc.Arbitrary<Buffer> {
  const text = (value: unknown) => JSON.stringify(value) ?? "";
  const json = fc.oneof(
    { weight: 8, arbitrary: right.map(text) },
    {
      weight: 1,
      arbitrary: fc.tuple(right, fc.nat(), anyText).map(([value, at, odd]) => splice(text(value), at, odd)),
    },
    { weight: 1, arbitrary: anyValue.map(text) },
    { weight: 1, arbitrary: deepJson },
  );
  return json.map((made) => Buffer.from(made));
}

function request(
  line: fc.Arbitrary<string>,
  body: fc.Arbitrary<Buffer> = fc.constant(Buffer.alloc(0)),
  headers: fc.Arbitrary<[string, string][]> = fc.constant([]),
  listener: Draft["listener"] = "operator",
): fc.Arbitrary<Draft> {
  return fc.tuple(line, body, headers).map(([made, bytes, more]) => ({
    listener,
    line: made,
    body: bytes,
    headers: [["Content-Type", "application/json"], ...more] as [string, string][],
  }));
}

const named = fc.oneof(
  { weight: 3, arbitrary: ifMatch.map((value): [string, string][] => [["If-Match", value]]) },
  { weight: 1, arbitrary: fc.constant<[string, string][]>([]) },
);

function yamlOf({ yaml }: Target["changedBot"]): fc.Arbitrary<string> {
  // The text that is there already most often: what is published is also trained.
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(yaml) },
    { weight: 2, arbitrary: fc.nat({ max: 50 }).map((n) => `${yaml}\ntagline: "Edition ${n}"\n`) },
    { weight: 1, arbitrary: anyBotFile([yaml]) },
  );
}

function botRequest({ changedBot }: Target): fc.Arbitrary<Draft> {
  const bot = idOf(changedBot.id);
  const yaml = yamlOf(changedBot);
  const publication = fc.record(
    { yaml, note: mostly(fc.constant("A note")), draft: mostly(fc.nat()) },
    { requiredKeys: ["yaml"] },
  );
  // It comes and goes; the other stays, with its hand-offs.
  const passing = yaml.map((text) => text.replace(changedBot.id, PASSING));
  const publish = bot.map((id) => `PUT /api/v1/bots/${id}`);
  const create = bodyOf(fc.record({ yaml: passing }));
  const enable = bodyOf(fc.record({ enabled: fc.constantFrom(true, true, true, false) }));
  return fc.oneof(
    { weight: 4, arbitrary: request(publish, bodyOf(publication), named) },
    { weight: 2, arbitrary: request(fc.constant("POST /api/v1/bots"), create) },
    { weight: 1, arbitrary: request(fc.constant(`DELETE /api/v1/bots/${PASSING}`)) },
    {
      weight: 1,
      arbitrary: request(
        bot.map((id) => `PATCH /api/v1/bots/${id}`),
        enable,
      ),
    },
    { weight: 1, arbitrary: request(fc.tuple(bot, numberText).map(restoreLine), undefined, named) },
  );
}

function restoreLine([id, version]: [string, string]): string {
  return `POST /api/v1/bots/${id}/versions/${version}/restore`;
}

function draftRequest({ changedBot }: Target): fc.Arbitrary<Draft> {
  const path = idOf(changedBot.id).map((id) => `/api/v1/bots/${id}/draft`);
  const draft = fc.record({
    yaml: yamlOf(changedBot),
    baseVersion: mostly(fc.integer({ min: 1, max: 40 })),
  });
  return fc.oneof(
    request(
      path.map((to) => `PUT ${to}`),
      bodyOf(draft),
      named,
    ),
    request(
      path.map((to) => `DELETE ${to}`),
      undefined,
      named,
    ),
    request(path.map((to) => `GET ${to}`)),
  );
}

function readingRequest({ changedBot }: Target): fc.Arbitrary<Draft> {
  const bot = idOf(changedBot.id);
  return request(
    fc.oneof(
      bot.map((id) => `GET /api/v1/bots/${id}`),
      fc.tuple(bot, pathText).map(([id, cursor]) => `GET /api/v1/bots/${id}/versions?cursor=${cursor}`),
      fc.tuple(bot, numberText).map(([id, version]) => `GET /api/v1/bots/${id}/versions/${version}`),
      bot.map((id) => `GET /api/v1/bots/${id}/knowledge`),
      fc.tuple(bot, pathText).map(([id, document]) => `DELETE /api/v1/bots/${id}/knowledge/${document}`),
    ),
  );
}

function uploadRequest({ changedBot }: Target): fc.Arbitrary<Draft> {
  const name = fc.oneof(
    fc.constantFrom(...FILES),
    headerText.map((text) => text.replaceAll('"', "%22")),
  );
  const content = fc.oneof(
    fc.constant(Buffer.from(DOCUMENT)),
    anyText.map((text) => Buffer.from(text)),
    fc.tuple(fc.nat(), anyText).map(([at, odd]) => Buffer.from(splice(DOCUMENT, at, odd))),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom(Buffer.from("%PDF-1.7\n"), Buffer.from("PK\u0003\u0004"), Buffer.alloc(70_000, "a ")),
  );
  const form = fc
    .tuple(fc.constantFrom("file", "file", "file", "other"), name, content, fc.nat({ max: 9 }))
    .map(([field, file, bytes, open]) =>
      Buffer.concat([
        Buffer.from(
          `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${file}"\r\n\r\n`,
        ),
        bytes,
        Buffer.from(open > 0 ? `\r\n--${BOUNDARY}--\r\n` : ""),
      ]),
    );
  return fc.tuple(idOf(changedBot.id), form).map(([id, body]) => ({
    listener: "operator",
    line: `POST /api/v1/bots/${id}/knowledge`,
    headers: [["Content-Type", `multipart/form-data; boundary=${BOUNDARY}`]],
    body,
  }));
}

function handoffRequest({ handoffIds, changedBot }: Target): fc.Arbitrary<Draft> {
  const handoff = fc.constantFrom(...handoffIds).chain(idOf);
  const at = (rest: string) => handoff.map((id) => `POST /api/v1/handoffs/${id}/${rest}`);
  const message = fc.record({ text: fc.oneof(anyText, fc.constant("Hello")) });
  const reads = fc.oneof(
    handoff.map((id) => `GET /api/v1/handoffs/${id}`),
    fc.tuple(handoff, numberText).map(([id, after]) => `GET /api/v1/handoffs/${id}/events?after=${after}`),
    pathText.map((cursor) => `GET /api/v1/handoffs?bot=${changedBot.id}&waiting=1&cursor=${cursor}`),
    pathText.map((state) => `GET /api/v1/deliveries?state=${state}`),
  );
  return fc.oneof(
    { weight: 4, arbitrary: request(at("take")) },
    {
      weight: 1,
      arbitrary: request(fc.tuple(at("take"), pathText).map(([line, from]) => `${line}?from=${from}`)),
    },
    { weight: 5, arbitrary: request(at("messages"), bodyOf(message)) },
    { weight: 2, arbitrary: request(at("release")) },
    // So seldom that there is always one that is open.
    { weight: 1, arbitrary: request(at("close")) },
    { weight: 4, arbitrary: request(reads) },
  );
}

/** What visitors ask for beside answers. */
function visitorsRequest({ changedBot }: Target): fc.Arbitrary<Draft> {
  const body = fc.record(
    {
      botId: mostly(fc.constant(changedBot.id)),
      conversationId: anyText,
      name: mostly(anyText),
      email: mostly(fc.constant("ann@example.com")),
      phone: mostly(fc.constant("+49 30 1234")),
      message: mostly(fc.constant("Please call")),
      shareTranscript: mostly(fc.boolean()),
    },
    { requiredKeys: ["botId"] },
  );
  return request(fc.constant("POST /handoff"), bodyOf(body), undefined, "public");
}
