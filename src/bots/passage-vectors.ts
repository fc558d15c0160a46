import { ENCODER_VERSION, type EncoderThread, TextVectors } from "../intent/classifier.ts";
import type { PassageMeaning } from "../knowledge/weigh-passages.ts";
import type { Vectors as StoredVectors } from "../store/interface/store.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { SentenceVectors } from "./sentence-vectors.ts";
import {
  NotEncodedError,
  type PassageReading,
  type PassageRows,
  rowsOfPassage,
  type Vectors,
} from "./vectors.ts";

/** Memory of all bots of a process: about 1,800 passages of ten sentences. */
const MAX_BYTES = 8e6;
/** Estimated memory of a cache entry besides its vectors. Chosen by hand. */
const ENTRY_BYTES = 400;

interface PassageVectorsParts {
  store: Pick<StoredVectors, "findPassageVectors">;
  encoder: Pick<EncoderThread, "encode">;
  /** Encodes passages without stored vectors on demand, as for a command. */
  encodesMissing?: true;
}

/** A passage, with the language by which its sentences were split. */
type PassageKey = `${number} ${string}`;

/**
 * Stored vectors of passages, cached by id. Encoded passages would win over those that are not encoded yet, so on a server one passage
 * without stored vectors is an error (`not_ready`), and the message is compared with no passage by meaning.
 */
export class PassageVectors implements Vectors {
  readonly #parts: PassageVectorsParts;
  readonly #kept: BoundedCache<PassageKey, PassageRows, PassageReading>;
  /** Encodes texts without stored vectors, for example if a change of the bot's language changed where sentences end. */
  readonly #encodedNow: SentenceVectors;

  constructor(parts: PassageVectorsParts) {
    this.#parts = parts;
    this.#encodedNow = new SentenceVectors(parts.encoder);
    this.#kept = new BoundedCache({
      mostBytes: MAX_BYTES,
      open: async (key, reading) => {
        const value = await this.#open(Number.parseInt(key, 10), reading);
        return value && { value, bytes: ENTRY_BYTES + value.byteLength };
      },
    });
  }

  async ofPassages(
    ids: readonly number[],
    { language, read }: PassageReading,
  ): Promise<ReadonlyMap<number, PassageMeaning>> {
    let reading: ReturnType<PassageReading["read"]> | undefined;
    // A cold cache misses most ids: the first miss reads the texts of all passages at once.
    const once = { language, read: () => (reading ??= read(ids)) };
    const found = new Map<number, PassageMeaning>();
    for (const id of ids) {
      const asked = this.#kept.find(`${id} ${language}`, once);
      const rows = asked instanceof Promise ? await asked : asked;
      if (rows) found.set(id, rows);
    }
    return found;
  }

  /** Undefined if the passage was deleted. @throws NotEncodedError if it is not encoded and may not be now. */
  async #open(id: number, { language, read }: PassageReading): Promise<PassageRows | undefined> {
    const { store, encodesMissing } = this.#parts;
    const packed = await store.findPassageVectors(id, ENCODER_VERSION);
    if (packed === undefined && !encodesMissing) throw new NotEncodedError("not_ready");
    const stored = packed && new TextVectors(packed);
    const passage = (await read([id])).get(id);
    return (
      passage &&
      rowsOfPassage(passage, language, async (text) => stored?.find(text) ?? this.#encodedNow.find(text))
    );
  }
}
