import type { EpochMs } from "../domain/time.ts";

/** Something was not delivered. The message says why, names no secret, and begins in lower case. */
export class DeliveryError extends Error {
  override name = "DeliveryError";
  /** It need not be tried again. */
  readonly isFinal: boolean;
  /** It was not tried, and need not be before that instant. */
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
