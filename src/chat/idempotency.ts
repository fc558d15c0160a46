import type { ChatRequest, ChatResponse } from "../domain/chat.ts";
import { ServiceError } from "../domain/errors.ts";
import { sha256 } from "../domain/sha256.ts";
import type { Runtime } from "../runtime.ts";
import type { EmbedTokenKey } from "../store/embed-tokens.ts";
import type { IdempotencyKey } from "../store/idempotency.ts";
import { Audience } from "./audience.ts";
import { chatResponseOf } from "./turn.ts";

/** The key of a request as the store knows it. The body is what the request means, not how it is spelt. */
export function idempotencyKeyOf(
  embedToken: EmbedTokenKey,
  key: string,
  request: ChatRequest,
): IdempotencyKey {
  const meaning = JSON.stringify([request.botId, request.input, request.conversationId ?? null]);
  return { embedToken, keyHash: sha256(key), bodyHash: sha256(meaning) };
}

type OnceRuntime = Pick<Runtime, "store" | "now" | "runningAnswers" | "retryGraceMs">;

/**
 * Runs `answer` unless the same key has been answered within 24 hours, or is being answered now: then the first answer
 * counts (decisions §9). A failed answer is forgotten, so that a retry may succeed. `answer` is told when everyone who
 * waited has left, and no retry has come.
 *
 * @throws ServiceError INVALID_REQUEST with status 422 when the key was used for another body.
 */
export async function answerOnce(
  { store, now, runningAnswers, retryGraceMs }: OnceRuntime,
  key: IdempotencyKey,
  left: AbortSignal,
  answer: (nobodyWaits: AbortSignal) => Promise<ChatResponse>,
): Promise<ChatResponse> {
  const runningKey = `${key.embedToken} ${hex(key.keyHash)}`;
  const running = runningAnswers.get(runningKey);
  if (running) {
    assertSameBody(running.bodyHash, key);
    running.audience.join(left);
    return running.answer;
  }
  const audience = new Audience(retryGraceMs);
  audience.join(left);
  const run = async () => {
    const earlier = await store.findEarlierAnswer(key, now());
    if (!earlier) return answer(audience.signal);
    assertSameBody(hex(earlier.bodyHash), key);
    return chatResponseOf(earlier.turn.conversationId, earlier.turn);
  };
  const started = run().finally(() => {
    runningAnswers.delete(runningKey);
    audience.close();
  });
  runningAnswers.set(runningKey, { bodyHash: hex(key.bodyHash), audience, answer: started });
  return started;
}

function assertSameBody(bodyHash: string, key: IdempotencyKey): void {
  if (bodyHash === hex(key.bodyHash)) return;
  throw new ServiceError(
    "INVALID_REQUEST",
    "This Idempotency-Key was used for another message; use a new key for a new message.",
    { status: 422 },
  );
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
