import type { ModelServerSettings } from "../config/models.ts";
import type { CompletionRequest } from "../domain/completion.ts";
import { callChat } from "./chat-call.ts";
import { Deadline } from "./deadline.ts";
import { type CallFailure, type ServerAddress, callServer, readText } from "./http-call.ts";
import { EmbeddingList, ModelList, parseReply } from "./replies.ts";

/** The tested abilities of a model server. */
export interface ServerReport {
  name: string;
  baseUrl: string;
  model: string;
  /** Milliseconds of one small completion; absent when there was none. */
  completionMs?: number;
  supports: { completions: boolean; streaming: boolean; structuredOutput: boolean; embeddings: boolean };
  /** Models that the server lists; absent when it lists none. */
  models?: string[];
  /** Remedies, most important first. */
  advice: string[];
}

const CHECK_MS = 60_000;
const MAX_BYTES = 4 * 1024 * 1024;
const HELLO: CompletionRequest = {
  messages: [{ role: "user", content: 'Answer with {"ok": true} and nothing else.' }],
  maxTokens: 32,
};
const SCHEMA = {
  type: "object",
  required: ["ok"],
  properties: { ok: { type: "boolean" } },
  additionalProperties: false,
};

/** Tests a server with one call of each kind that Parley may make. Never rejects because of the server. */
export async function checkServer(
  name: string,
  settings: ModelServerSettings,
  apiKey: string | undefined,
): Promise<ServerReport> {
  const address = { baseUrl: settings.baseUrl, ...(apiKey !== undefined && { apiKey }) };
  const models = await listModels(address);
  const { failure, milliseconds } = await tryCompletion(address, settings);
  const works = failure === undefined;
  return {
    name,
    baseUrl: settings.baseUrl,
    model: settings.model,
    ...(works && { completionMs: milliseconds }),
    supports: {
      completions: works,
      streaming: works && (await tryCompletion(address, settings, { stream: true })).pieces > 0,
      structuredOutput:
        works && (await tryCompletion(address, settings, { schema: SCHEMA })).failure === undefined,
      embeddings: await tryEmbeddings(address, settings),
    },
    ...(models && { models }),
    advice: adviceFor(settings, { failure, apiKey, models }),
  };
}

async function tryCompletion(
  address: ServerAddress,
  settings: ModelServerSettings,
  { stream = false, schema }: { stream?: boolean; schema?: object } = {},
) {
  using deadline = new Deadline(settings.timeoutMs ?? CHECK_MS);
  let pieces = 0;
  const startedAt = performance.now();
  const result = await callChat({
    address,
    settings,
    request: { ...HELLO, ...(schema && { outputSchema: schema }) },
    withSchema: schema !== undefined,
    signal: deadline.signal,
    now: Date.now,
    ...(stream && { onText: () => void (pieces += 1) }),
  });
  const milliseconds = Math.round(performance.now() - startedAt);
  const late: CallFailure = { ok: false, reason: "no answer in time", isRetryable: false };
  const failure = result.ok ? undefined : deadline.hasPassed ? late : result;
  return { failure, milliseconds, pieces };
}

async function listModels(address: ServerAddress): Promise<string[] | undefined> {
  const reply = parseReply(ModelList, (await read(address, { path: "/models" })) ?? "");
  return reply?.data.map(({ id }) => id);
}

async function tryEmbeddings(address: ServerAddress, { model }: ModelServerSettings): Promise<boolean> {
  const text = await read(address, { path: "/embeddings", body: { model, input: ["hello"] } });
  return (parseReply(EmbeddingList, text ?? "")?.data.length ?? 0) > 0;
}

async function read(
  address: ServerAddress,
  request: { path: string; body?: unknown },
): Promise<string | undefined> {
  using deadline = new Deadline(CHECK_MS);
  const answer = await callServer(address, request, { signal: deadline.signal, now: Date.now });
  if (!answer.ok) return undefined;
  try {
    return await readText(answer.value, MAX_BYTES);
  } catch {
    // An answer that breaks off, or is too large, is treated like one that lists no models.
    return undefined;
  }
}

interface Findings {
  failure: CallFailure | undefined;
  apiKey: string | undefined;
  models: string[] | undefined;
}

function adviceFor(settings: ModelServerSettings, { failure, apiKey, models }: Findings): string[] {
  const { model, apiKeyEnv, baseUrl } = settings;
  const advice: string[] = [];
  if (apiKeyEnv !== undefined && !apiKey) {
    advice.push(`the environment variable ${apiKeyEnv} is not set; put the server's key into it`);
  }
  if (failure) advice.push(adviceForFailure(settings, failure));
  if (models && !models.includes(model)) {
    const known = models.slice(0, 8).join(", ");
    advice.push(`the server does not list \`${model}\`; it has ${known || "no models yet"}`);
  }
  if (failure?.status === 404 && !/\/v\d/.test(baseUrl)) {
    advice.push("baseUrl mostly ends with /v1");
  }
  return advice;
}

function adviceForFailure(
  { baseUrl, apiKeyEnv, model, timeoutMs }: ModelServerSettings,
  failure: CallFailure,
): string {
  const { status, reason } = failure;
  if (reason.startsWith("no connection")) {
    return `${reason}: is the server running, and is ${baseUrl} its address as seen from this machine?`;
  }
  if (status === 401 || status === 403) {
    return `status ${status}: the server does not take the key${apiKeyEnv === undefined ? "; name its environment variable in apiKeyEnv" : ` in ${apiKeyEnv}`}`;
  }
  if (status === 404)
    return `status 404: there is no /chat/completions under ${baseUrl}, or no model \`${model}\``;
  if (status === 400 || status === 422) {
    return `status ${status}: the server refuses the request; try \`maxTokensField: max_completion_tokens\``;
  }
  if (status === 429) return "status 429: the server is busy, or the account's quota is spent";
  if (reason === "no answer in time") {
    return `no answer within ${timeoutMs ?? CHECK_MS} ms: the model may still be loading; otherwise raise timeoutMs`;
  }
  return `${reason}: this is not how an OpenAI-compatible server answers`;
}
