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

/** A model that no bot has is kept this long: a running server opens it at the bot's first message, possibly after a new seed replaced it. */
export const UNUSED_MODEL_KEPT_MS = 60_000;
