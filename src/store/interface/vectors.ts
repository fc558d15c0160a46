import type { InstanceId } from "../../domain/ids.ts";
import type { Heartbeat } from "../lease-observer.ts";

/** Stands for the encoder's version if a server runs none. */
export const ENCODER_OFF = "off";

/** How long vectors are kept that no server uses, so that a downgrade within this time need not encode again. Chosen by hand. */
export const UNUSED_VECTORS_KEPT_MS = 24 * 60 * 60 * 1000;

/** Amount of data that an encoder has not encoded yet. */
export interface Unencoded {
  /** Number of enabled bots. */
  bots: number;
  /** Number of searchable passages. */
  passages: number;
}

/** The encoder's vectors of examples and passages, by the encoder's version. Byte arrays belong to the caller. */
export interface Vectors {
  /**
   * Records the encoder that this server runs, or `ENCODER_OFF`. Refused if another server runs one and this one does not, or the reverse.
   *
   * @param ignoring servers that are known to be dead.
   * @returns the servers that differ; if empty, the encoder is recorded.
   */
  runEncoder(encoder: string, ignoring?: readonly InstanceId[]): Promise<Heartbeat[]>;

  /** The encoders that servers run, each version once; `ENCODER_OFF` for servers without one. */
  listRunning(): Promise<string[]>;

  /** Those of these intent models whose examples the encoder has not encoded. */
  listUnencodedModels(intentModelIds: readonly string[], encoder: string): Promise<string[]>;

  /** Stores the vectors of an intent model's examples; empty if there is nothing to encode. Stores nothing if the model is gone. */
  saveSentenceModel(intentModelId: string, encoder: string, bytes: Uint8Array): Promise<void>;

  /** Those of these passages that the encoder has not encoded. */
  listUnencodedPassages(passages: readonly number[], encoder: string): Promise<number[]>;

  /** Stores vectors of passages. Skips passages that are gone. */
  savePassageVectors(vectors: ReadonlyMap<number, Uint8Array>, encoder: string): Promise<void>;

  /** Undefined if the encoder has not encoded the passage. */
  findPassageVectors(passage: number, encoder: string): Promise<Uint8Array | undefined>;

  countUnencoded(encoder: string): Promise<Unencoded>;
}

/** A model that no bot has is kept this long: a running server opens it at the bot's first message, possibly after a new seed replaced it. */
export const UNUSED_MODEL_KEPT_MS = 60_000;
