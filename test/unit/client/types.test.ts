import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type * as built from "../../../src/client/main.ts";
import type * as published from "../../../src/client/public.d.ts";
import type { ChatMetadata, ChatResponse } from "../../../src/domain/chat.ts";
import type { EmbedConfig } from "../../../src/domain/embed.ts";
import type { ErrorCode, FieldFault } from "../../../src/domain/errors.ts";
import type { FeedbackRequest } from "../../../src/domain/feedback.ts";
import type { HandoffEvent, HandoffRequest, HandoffResponse } from "../../../src/domain/handoff.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import { widgetAssets } from "../../../src/widget/assets.ts";

/** A shape without brands: an intent's name is a text for whoever is not the service. */
type Plain<Shape> = Shape extends IntentName
  ? string
  : Shape extends readonly (infer Item)[]
    ? Plain<Item>[]
    : Shape extends object
      ? { [Key in keyof Shape]: Plain<Shape[Key]> }
      : Shape;

/** Whether two shapes are the same in all that they allow. */
type Same<One, Other> =
  (<Shape>(shape: Shape) => Shape extends Plain<One> ? 1 : 2) extends <Shape>(
    shape: Shape,
  ) => Shape extends Plain<Other> ? 1 : 2
    ? true
    : false;

type ClientCode = "NETWORK_ERROR" | "HTTP_ERROR" | "INVALID_RESPONSE";
type OperatorCode = "CONFLICT" | "PRECONDITION_REQUIRED" | "UNACCEPTED_FAULTS";

/** Does not compile where what is published differs from the service's own shapes. */
const SAME: readonly true[] = [
  true satisfies Same<published.ChatMetadata, ChatMetadata>,
  true satisfies Same<published.ChatResponse, ChatResponse>,
  true satisfies Same<Omit<published.ChatAnswer, "requestId">, ChatResponse>,
  true satisfies Same<published.HandoffEvent, HandoffEvent>,
  true satisfies Same<published.HandoffResponse, HandoffResponse>,
  true satisfies Same<published.HandoffFields, Omit<HandoffRequest, "botId">>,
  true satisfies Same<published.Rating, FeedbackRequest>,
  true satisfies Same<published.EmbedConfig, EmbedConfig>,
  true satisfies Same<published.FieldFault, FieldFault>,
  true satisfies Same<published.ParleyErrorCode, Exclude<ErrorCode, OperatorCode> | ClientCode>,
];

/** Nor where the client is not what is published of it. */
type Exports = { [Name in keyof typeof published]: (typeof built)[Name] };
const asPublished = (client: Exports): typeof published => client;
const names = ["createClient", "ParleyError"] satisfies (keyof typeof published)[];

test("what is published are the shapes of the service, and of the client", async () => {
  expect(SAME.every(Boolean)).toBe(true);
  const client = await import("../../../src/client/main.ts");
  expect(Object.keys(asPublished(client)).toSorted()).toEqual(names.toSorted());
});

const PROGRAM = `
import { createClient, ParleyError, type ChatAnswer, type HandoffEvent } from "./client.mjs";

const client = createClient({ endpoint: "https://chat.example", token: "t", botId: "acme", fetch });
let conversationId: string | undefined;
export async function ask(input: string, signal: AbortSignal): Promise<ChatAnswer | undefined> {
  try {
    for await (const event of client.stream(input, { conversationId, signal })) {
      if (event.type === "delta") event.text.trim();
      if (event.type === "done") return event.answer;
    }
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    if (error.code === "MESSAGE_CAP_EXCEEDED" && !error.isRetryable) return undefined;
  }
  const answer = await client.chat(input, { conversationId });
  conversationId = answer.conversationId;
  await client.rate({ conversationId, requestId: answer.requestId, rating: "up" });
  const { botName, handoff } = await client.embedConfig();
  if (handoff?.fields.includes("email")) await client.handoff({ conversationId, name: botName });
  const events: HandoffEvent[] = [];
  for await (const event of client.follow(conversationId, { lastEventId: 4, signal })) events.push(event);
  return answer.metadata.enforcementReason === "DENY_LIST" ? answer : undefined;
}
`;
const MISTAKES = `
import { createClient } from "./client.mjs";
const client = createClient({ endpoint: "https://chat.example", token: "t" });
for await (const event of client.stream("hi")) event.text;
(await client.chat("hi")).metadata.enforcementReason === "DENIED";
`;

test("tsc --strict takes a program that uses it, with the types of Node and with those of pages, and finds its mistakes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-client-types-"));
  try {
    const types = (await widgetAssets()).find(({ path }) => path === "client.d.ts")!;
    writeFileSync(join(folder, "client.d.mts"), types.identity);
    writeFileSync(join(folder, "program.mts"), PROGRAM);
    writeFileSync(join(folder, "mistakes.mts"), MISTAKES);
    const found = join(import.meta.dir, "../../../node_modules/@types/node");
    const check = async (file: string, ...args: string[]) => {
      const tsc = join(import.meta.dir, "../../../node_modules/.bin/tsc");
      const strict = ["--strict", "--exactOptionalPropertyTypes", "--noEmit", "--module", "nodenext"];
      const child = Bun.spawn([tsc, ...strict, "--target", "es2022", ...args, file], {
        cwd: folder,
        stdout: "pipe",
      });
      return (await new Response(child.stdout).text()).split("\n").filter((line) => /^\S/.test(line));
    };
    const page = ["--lib", "es2022,dom,dom.asynciterable", "--types", ""];
    const node = ["--lib", "es2022", "--types", found];
    expect(await check("program.mts", ...page)).toEqual([]);
    expect(await check("program.mts", ...node)).toEqual([]);
    expect(await check("mistakes.mts", ...page)).toEqual([
      expect.stringMatching(/^mistakes\.mts\(3,.*'botId' is missing/),
      expect.stringMatching(/^mistakes\.mts\(4,.*'text' does not exist/),
      expect.stringMatching(/^mistakes\.mts\(5,.*no overlap/),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
