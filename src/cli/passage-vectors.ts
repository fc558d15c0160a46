import type { BotKnowledge } from "../bots/bot-knowledge.ts";
import { PassageVectors } from "../bots/passage-vectors.ts";
import { SentenceVectors } from "../bots/sentence-vectors.ts";
import type { PassageReading, Vectors } from "../bots/vectors.ts";
import type { EncoderThread } from "../intent/classifier.ts";
import { MOST_COMPARED, type PassageMeaning } from "../knowledge/weigh-passages.ts";
import type { Store } from "../store/interface/store.ts";
import type { Progress } from "./progress.ts";

interface PassageVectorsOptions {
  knowledge: BotKnowledge;
  encoder: Pick<EncoderThread, "encode">;
  /** Where the passages may have been encoded already; absent for those of a bot file. */
  store: Pick<Store, "vectors"> | undefined;
}

/** What a bot's passages mean: as it is stored, and encoded now where it is not, of which progress is shown. */
export async function passageVectors(
  { knowledge, encoder, store }: PassageVectorsOptions,
  progress: Pick<Progress, "report">,
): Promise<Vectors> {
  const { size } = await knowledge.open();
  const vectors = store
    ? new PassageVectors({ store: store.vectors, encoder, encodesMissing: true })
    : new SentenceVectors(encoder);
  // Of more passages, only those that words find are read, which takes no long time at a query.
  return size > MOST_COMPARED ? vectors : new ReportedVectors(vectors, size, progress);
}

/** Reports how many passages have been read, until all of them are: each is with the first query. */
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
