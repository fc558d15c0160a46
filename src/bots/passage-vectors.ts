import { ENCODER_VERSION, type EncoderThread, TextVectors } from "../intent/classifier.ts";
import type { PassageMeaning } from "../knowledge/weigh-passages.ts";
import type { Vectors as StoredVectors } from "../store/interface/vectors.ts";
import { BoundedCache } from "./bounded-cache.ts";
import { SentenceVectors } from "./sentence-vectors.ts";
import {
  NoMeaningError,
  type PassageReading,
  type PassageRows,
  rowsOfPassage,
  type Vectors,
} from "./vectors.ts";

/** Of all bots of a process: some 1,800 passages of ten sentences. */
const MOST_BYTES = 8e6;
/** What an entry takes beside its cells. */
const ENTRY_BYTES = 400;

interface PassageVectorsParts {
  store: Pick<StoredVectors, "findPassageVectors">;
  encoder: Pick<EncoderThread, "encode">;
  /** Passages that are not stored are encoded when somebody asks, as for a command. */
  encodesMissing?: true;
}

/** A passage whose sentences end where its language says. */
type PassageKey = `${number} ${string}`;

/** What passages mean as it is stored, kept by their ids. On a server a message is compared with none of them before all are. */
export class PassageVectors implements Vectors {
  readonly #parts: PassageVectorsParts;
  readonly #kept: BoundedCache<PassageKey, PassageRows, PassageReading>;
  /** Texts that are no part of what was encoded, as where a bot's language changes where sentences end. */
  readonly #others: SentenceVectors;

  constructor(parts: PassageVectorsParts) {
    this.#parts = parts;
    this.#others = new SentenceVectors(parts.encoder);
    this.#kept = new BoundedCache({
      mostBytes: MOST_BYTES,
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
    // Where one is not in memory, most are not: all are read at once.
    const once = { language, read: () => (reading ??= read(ids)) };
    const found = new Map<number, PassageMeaning>();
    for (const id of ids) {
      const asked = this.#kept.find(`${id} ${language}`, once);
      const rows = asked instanceof Promise ? await asked : asked;
      if (rows) found.set(id, rows);
    }
    return found;
  }

  /** Undefined where the passage is gone. */
  async #open(id: number, { language, read }: PassageReading): Promise<PassageRows | undefined> {
    const { store, encodesMissing } = this.#parts;
    const packed = await store.findPassageVectors(id, ENCODER_VERSION);
    if (packed === undefined && !encodesMissing) throw new NoMeaningError("not_ready");
    const stored = packed && new TextVectors(packed);
    const passage = (await read([id])).get(id);
    return (
      passage &&
      rowsOfPassage(passage, language, async (text) => stored?.find(text) ?? this.#others.find(text))
    );
  }
}
