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

/** Logs that a message is answered without the encoder. */
export function warnOfMeaning({ log }: MeaningParts, requestId: RequestId): (error: unknown) => void {
  return (error) =>
    log.warn({ requestId, err: error }, "what a message means was not weighed; documents are found by words");
}

/** The result of a search, and whether the encoder was used; absent if words alone suffice. */
export interface Weighed<Found> {
  found: Found;
  meaning?: Encoding;
}

/**
 * Searches with the encoder. If that fails, searches again by words alone, so that the result can be reproduced.
 *
 * @param vectors absent: by words alone.
 * @param onFailure called if the encoder fails, but not if its queue is full, which the metric counts, or the texts are not encoded yet.
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

/** Returns no vectors after a failure. */
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
