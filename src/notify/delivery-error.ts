/** Something was not delivered. The message says why, names no secret, and begins in lower case. */
export class DeliveryError extends Error {
  override name = "DeliveryError";
  /** It need not be tried again. */
  readonly isFinal: boolean;

  constructor(message: string, { isFinal = false, cause }: { isFinal?: boolean; cause?: unknown } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.isFinal = isFinal;
  }
}
