import type { PersonalDataKind } from "../domain/personal-data.ts";
import { findPersonalData } from "./personal-data.ts";

/** The text with personal data replaced by their kind: "write to [e-mail]". Pure. */
export function redactText(text: string, kinds: readonly PersonalDataKind[]): string {
  let redacted = "";
  let kept = 0;
  for (const { kind, start, end } of findPersonalData(text, kinds)) {
    redacted += `${text.slice(kept, start)}[${kind}]`;
    kept = end;
  }
  return kept === 0 ? text : redacted + text.slice(kept);
}
