import type { Logger } from "pino";

import { NoMeaningError, type Vectors } from "../../bots/vectors.ts";
import type { Encoding } from "../../domain/decision.ts";
import type { RequestId } from "../../domain/ids.ts";
import { EncoderBusyError } from "../../intent/classifier.ts";

/** The parts that weighing uses. */
export interface MeaningParts {
  vectors: Vectors;
  log: Pick<Logger, "warn">;
}

/** Logs that a message is answered without. */
export function warnOfMeaning({ log }: MeaningParts, requestId: RequestId): (error: unknown) => void {
  return (error) =>
    log.warn({ requestId, err: error }, "what a message means was not weighed; documents are found by words");
}

/** What was found, and whether what the message means had a part in it; absent where words alone are sure. */
export interface Weighed<Found> {
  found: Found;
  meaning?: Encoding;
}

/**
 * Looks something up with the encoder. Where that fails, all is looked up anew by words alone, so that the same can be found again.
 *
 * @param vectors absent: by words alone.
 * @param onFailure told why the encoder failed; not where too many texts wait for it, which the metric counts, nor where it has yet to read them.
 */
export async function withMeaning<Found>(
  vectors: Vectors | undefined,
  onFailure: (error: unknown) => void,
  lookUp: (vectors?: Vectors) => Promise<Found>,
): Promise<Weighed<Found>> {
  if (vectors === undefined) return { found: await lookUp() };
  const watched = new WatchedVectors(vectors);
  const found = await lookUp(watched);
  if (watched.failure === undefined) return { found, ...(watched.isUsed && { meaning: "used" }) };
  const { error } = watched.failure;
  const meaning = whyNot(error);
  if (meaning === "unavailable") onFailure(error);
  return { found: await lookUp(), meaning };
}

function whyNot(error: unknown): Encoding {
  if (error instanceof NoMeaningError) return error.reason;
  return error instanceof EncoderBusyError ? "overloaded" : "unavailable";
}

/** Says nothing more after a failure. */
class WatchedVectors implements Vectors {
  readonly #vectors: Vectors;
  isUsed = false;
  failure: { error: unknown } | undefined;

  constructor(vectors: Vectors) {
    this.#vectors = vectors;
  }

  async ofPassages(...asked: Parameters<Vectors["ofPassages"]>): ReturnType<Vectors["ofPassages"]> {
    if (this.failure) return new Map();
    try {
      const found = await this.#vectors.ofPassages(...asked);
      this.isUsed ||= found.size > 0;
      return found;
    } catch (error) {
      this.failure ??= { error };
      return new Map();
    }
  }
}
