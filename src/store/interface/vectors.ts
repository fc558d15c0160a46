import type { InstanceId } from "../../domain/ids.ts";
import type { Heartbeat } from "../lease-observer.ts";

/** What stands in the place of an encoder's version where a server runs none. */
export const ENCODER_OFF = "off";

/** How long vectors are kept that no server uses: for as long, one may go back to the version before. */
export const UNUSED_VECTORS_KEPT_MS = 24 * 60 * 60 * 1000;

/** What an encoder has not read yet. */
export interface Unencoded {
  /** Enabled bots. */
  bots: number;
  /** Of documents that visitors are answered from. */
  passages: number;
}

/** What the encoder makes of examples and passages, by the encoder's version. Bytes are the callers' own. */
export interface Vectors {
  /**
   * Notes the encoder that this server runs, or `ENCODER_OFF`, unless another server differs in whether it runs one.
   *
   * @param ignoring servers that are known to be gone.
   * @returns the servers that differ; none: it is noted.
   */
  runEncoder(encoder: string, ignoring?: readonly InstanceId[]): Promise<Heartbeat[]>;

  /** What servers run, each version once; `ENCODER_OFF` where they run none. */
  listRunning(): Promise<string[]>;

  /** Of these intent models, those whose examples the encoder has not read. */
  listUnencodedModels(intentModelIds: readonly string[], encoder: string): Promise<string[]>;

  /** Stores what the examples of an intent model mean; empty where there is nothing to encode. Nothing is stored where the model is gone. */
  saveSentenceModel(intentModelId: string, encoder: string, bytes: Uint8Array): Promise<void>;

  /** Of these passages, those that the encoder has not read. */
  listUnencodedPassages(passages: readonly number[], encoder: string): Promise<number[]>;

  /** What the texts of passages mean, by the passage. Nothing is stored of one that is gone. */
  savePassageVectors(vectors: ReadonlyMap<number, Uint8Array>, encoder: string): Promise<void>;

  /** Undefined where the encoder has not read the passage. */
  findPassageVectors(passage: number, encoder: string): Promise<Uint8Array | undefined>;

  countUnencoded(encoder: string): Promise<Unencoded>;
}

/** A running server opens a model at the bot's first message; by then the bot may have been seeded again. */
export const UNUSED_MODEL_KEPT_MS = 60_000;
