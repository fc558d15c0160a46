import { networkError, ParleyError } from "./parley-error.ts";
import { backoffMs } from "./pause.ts";

export interface RetryParts {
  endpoint: string;
  maxRetries: number;
  maxRetryDelayMs: number;
  pause: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  random: () => number;
}

/**
 * Waits until an attempt that failed may be made again: at least as long as the service asks for.
 *
 * @param failures attempts that failed before.
 * @throws ParleyError where another attempt cannot help, would come too late, or is one too many; the reason of `signal`.
 */
export async function recover(
  error: unknown,
  failures: number,
  { endpoint, maxRetries, maxRetryDelayMs, pause, random }: RetryParts,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const failure = error instanceof ParleyError ? error : networkError(endpoint, error);
  const { isRetryable, retryAfterMs = 0 } = failure;
  if (!isRetryable || failures >= maxRetries || retryAfterMs > maxRetryDelayMs) throw failure;
  await pause(Math.min(maxRetryDelayMs, retryAfterMs + backoffMs(failures, random)), signal);
  signal?.throwIfAborted();
}
