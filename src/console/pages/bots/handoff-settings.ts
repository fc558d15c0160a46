import type { HandoffField, HandoffOffer } from "../../../domain/handoff.ts";

/** The hand-off triggers and the fields of the contact form, in words. */
export const OFFERS: readonly (readonly [HandoffOffer, string])[] = [
  ["refused", "it refuses"],
  ["not_understood_twice", "it did not understand two messages in a row"],
  ["cap", "the monthly message cap is used up"],
  ["asked", "a visitor asks for a person, or for an intent that offers one"],
];
export const FIELDS: readonly (readonly [HandoffField, string])[] = [
  ["name", "name"],
  ["email", "e-mail address"],
  ["phone", "phone number"],
  ["message", "message"],
];
/** The default triggers, as in the domain; a test compares both. */
export const HANDOFF_OFFERS = OFFERS.map(([offer]) => offer);
export const USUAL_FIELDS: readonly HandoffField[] = ["name", "email", "message"];
