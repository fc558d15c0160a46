import type { TokenUsage } from "../domain/completion.ts";
import type { CallResult } from "./http-call.ts";
import { bodyFailure, callServer, readText } from "./http-call.ts";
import type { GivenUp, ModelServer } from "./model-server.ts";
import { boundEmbeddingUsage, EmbeddingList, parseReply, usageOf } from "./replies.ts";

/** Texts in one call. */
const BATCH = 64;
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

/** One vector per text, in order, as the server made them. */
export interface Embeddings {
  vectors: number[][];
  /** Absent if the server did not count. */
  usage?: TokenUsage;
}

/** Never rejects because of the server. */
export async function embedTexts(
  server: ModelServer,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<({ ok: true } & Embeddings) | GivenUp> {
  const all: Embeddings = { vectors: [] };
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH);
    const result = await server.run(signal, (callSignal, address) =>
      callEmbeddings({ model: server.settings.model, input: batch }, { address, signal: callSignal }),
    );
    if (!result.ok) return result;
    const { vectors, usage } = result.value;
    all.vectors.push(...vectors);
    if (usage) all.usage = sum(all.usage, usage);
  }
  return { ok: true, ...all };
}

function sum(before: TokenUsage | undefined, { promptTokens, completionTokens }: TokenUsage): TokenUsage {
  return {
    promptTokens: promptTokens + (before?.promptTokens ?? 0),
    completionTokens: completionTokens + (before?.completionTokens ?? 0),
  };
}

async function callEmbeddings(
  body: { model: string; input: readonly string[] },
  { address, signal }: { address: Parameters<typeof callServer>[0]; signal: AbortSignal },
): Promise<CallResult<Embeddings>> {
  const answer = await callServer(address, { path: "/embeddings", body }, { signal, now: Date.now });
  if (!answer.ok) return answer;
  try {
    const reply = parseReply(EmbeddingList, await readText(answer.value, MAX_REPLY_BYTES));
    const vectors = reply?.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
    const isWhole = vectors?.length === body.input.length && vectors.every(({ length }) => length > 0);
    const usage = usageOf(reply?.usage);
    return isWhole
      ? { ok: true, value: { vectors, ...(usage && { usage: boundEmbeddingUsage(usage, body.input) }) } }
      : { ok: false, reason: "the answer is malformed", isRetryable: false };
  } catch (error) {
    return bodyFailure(error);
  }
}
