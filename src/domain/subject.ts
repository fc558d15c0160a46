import { type Static, Type } from "@sinclair/typebox";

import { IntentName } from "./ids.ts";
import { listOf } from "./schemas.ts";

/** The answered intent or passage, without words of the visitor. */
export const SubjectReference = Type.Object({
  /** The bot's intent that was answered; absent if only documents answered. */
  intent: Type.Optional(IntentName),
  /** The passage that was shown: its number, and its document. */
  passage: Type.Optional(Type.Object({ id: Type.Integer(), document: Type.String() })),
});
export type SubjectReference = Static<typeof SubjectReference>;

/**
 * The subject of an answered turn. It is stored and deleted with the turn's texts; the visitor's own words for it are the
 * turn's message.
 */
export const Subject = Type.Object({
  ...SubjectReference.properties,
  /** Its name: the label of the intent, or the nearest heading of the passage. */
  name: Type.String(),
  /** Words of the visitor about it, those of earlier turns first; without personal data recognised by form. */
  words: listOf(Type.String()),
});
export type Subject = Static<typeof Subject>;
