import type { Static } from "@sinclair/typebox";

import { oneOf } from "./schemas.ts";

/** Kinds of personal data that are recognised by their form. */
export const PersonalDataKind = oneOf(["card-number", "iban", "e-mail", "phone"]);
export type PersonalDataKind = Static<typeof PersonalDataKind>;

/** A range of text: UTF-16 code units, `end` exclusive. */
export interface Span {
  start: number;
  end: number;
}
