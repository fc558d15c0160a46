import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import { PassageVectors } from "../bots/passage-vectors.ts";
import { SentenceVectors } from "../bots/sentence-vectors.ts";
import type { PassageReading, Vectors } from "../bots/vectors.ts";
import type { EncoderThread } from "../intent/classifier.ts";
import { MAX_COMPARED, type PassageMeaning } from "../knowledge/weigh-passages.ts";
import type { Store } from "../store/interface/store.ts";
import type { Progress } from "./progress.ts";

interface PassageVectorsOptions {
  knowledge: BotKnowledge;
  encoder: Pick<EncoderThread, "encode">;
  /** The store with vectors encoded earlier; absent for a bot file. */
  store: Pick<Store, "vectors"> | undefined;
}

/** The vectors of a bot's passages: stored ones, and missing ones encoded now with progress. */
export async function passageVectors(
  { knowledge, encoder, store }: PassageVectorsOptions,
  progress: Pick<Progress, "report">,
): Promise<Vectors> {
  const { size } = await knowledge.open();
  const vectors = store
    ? new PassageVectors({ store: store.vectors, encoder, encodesMissing: true })
    : new SentenceVectors(encoder);
  // Above this size only passages found by words are encoded, which is quick.
  return size > MAX_COMPARED ? vectors : new ReportedVectors(vectors, size, progress);
}

/** Reports progress until all passages are encoded, which happens with the first query. */
class ReportedVectors implements Vectors {
  readonly #vectors: Vectors;
  readonly #size: number;
  readonly #progress: Pick<Progress, "report">;
  readonly #read = new Set<number>();

  constructor(vectors: Vectors, size: number, progress: Pick<Progress, "report">) {
    this.#vectors = vectors;
    this.#size = size;
    this.#progress = progress;
  }

  async ofPassages(ids: readonly number[], reading: PassageReading): ReturnType<Vectors["ofPassages"]> {
    const found = new Map<number, PassageMeaning>();
    for (const id of ids) {
      for (const [known, meaning] of await this.#vectors.ofPassages([id], reading)) found.set(known, meaning);
      this.#read.add(id);
      if (this.#read.size < this.#size)
        this.#progress.report("reading documents", this.#read.size / this.#size);
    }
    return found;
  }
}
