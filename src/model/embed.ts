import type { CallResult } from "./http-call.ts";
import { bodyFailure, callServer, readText } from "./http-call.ts";
import type { ModelServer } from "./model-server.ts";
import { EmbeddingList, parseReply } from "./replies.ts";

/** Texts in one call. */
const BATCH = 64;
const MAX_REPLY_BYTES = 32 * 1024 * 1024;

/** One vector per text, in order, as the server made them; undefined when it could not. */
export async function embedTexts(
  server: ModelServer,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<number[][] | undefined> {
  const vectors: number[][] = [];
  for (let from = 0; from < texts.length; from += BATCH) {
    const batch = texts.slice(from, from + BATCH);
    const result = await server.run(signal, (callSignal, address) =>
      callEmbeddings({ model: server.settings.model, input: batch }, { address, signal: callSignal }),
    );
    if (!result.ok) return undefined;
    vectors.push(...result.value);
  }
  return vectors;
}

async function callEmbeddings(
  body: { model: string; input: readonly string[] },
  { address, signal }: { address: Parameters<typeof callServer>[0]; signal: AbortSignal },
): Promise<CallResult<number[][]>> {
  const answer = await callServer(address, { path: "/embeddings", body }, { signal, now: Date.now });
  if (!answer.ok) return answer;
  try {
    const reply = parseReply(EmbeddingList, await readText(answer.value, MAX_REPLY_BYTES));
    const vectors = reply?.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
    const isWhole = vectors?.length === body.input.length && vectors.every(({ length }) => length > 0);
    return isWhole
      ? { ok: true, value: vectors }
      : { ok: false, reason: "the answer is malformed", isRetryable: false };
  } catch (error) {
    return bodyFailure(error);
  }
}
