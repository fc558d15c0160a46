import { type Static, Type } from "@sinclair/typebox";

import { IntentName } from "./ids.ts";
import { listOf } from "./schemas.ts";

/** What was answered, without a word of the visitor. */
export const SubjectReference = Type.Object({
  /** The bot's intent that was answered; absent where documents alone answered. */
  intent: Type.Optional(IntentName),
  /** The passage that was shown: its number, and its document. */
  passage: Type.Optional(Type.Object({ id: Type.Integer(), document: Type.String() })),
});
export type SubjectReference = Static<typeof SubjectReference>;

/**
 * What an answered turn was about. It is stored with the turn's texts, and shares what becomes of them; the visitor's own words for it are the
 * turn's message.
 */
export const Subject = Type.Object({
  ...SubjectReference.properties,
  /** What it is called: the label of the intent, or the nearest heading of the passage. */
  name: Type.String(),
  /** Words of the visitor that say what it is about, those of the turns that led to it first; no personal data that is known by its form. */
  words: listOf(Type.String()),
});
export type Subject = Static<typeof Subject>;
