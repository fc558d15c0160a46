import type { EpochMs } from "../domain/time.ts";

/** A delivery failed. The message says why, contains no secret, and begins in lower case. */
export class DeliveryError extends Error {
  override name = "DeliveryError";
  /** Retries are useless. */
  readonly isFinal: boolean;
  /** It was not tried, and must not be tried before this instant. */
  readonly notBefore: EpochMs | undefined;

  constructor(
    message: string,
    { isFinal = false, notBefore, cause }: { isFinal?: boolean; notBefore?: EpochMs; cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.isFinal = isFinal;
    this.notBefore = notBefore;
  }
}
