import type { CapabilityProfile } from "../domain/bot.ts";
import type { PersonalDataKind } from "../domain/personal-data.ts";
import type { TextLanguage } from "../domain/texts.ts";
import { LANGUAGES } from "../text/languages.ts";
import { compileTerms, type TermIndex } from "./deny-rules/term-index.ts";
import { rotated } from "./disguise/encodings.ts";

/** What a profile denies by rule: words and phrases, and kinds of personal data. */
export interface DenyRules {
  /** Undefined without terms. */
  terms: TermIndex | undefined;
  patterns: readonly PersonalDataKind[];
}

/** Compiles the rules when a bot is loaded; undefined without any. @param language the bot's, for the inflection of terms. */
export function compileDenyRules(
  { denyTerms = [], denyPatterns = [] }: CapabilityProfile = {},
  language: TextLanguage,
): DenyRules | undefined {
  if (denyTerms.length === 0 && denyPatterns.length === 0) return undefined;
  const known = LANGUAGES.find((other) => other === language);
  return {
    terms: denyTerms.length === 0 ? undefined : compileTerms(denyTerms, { language: known, rotated }),
    patterns: denyPatterns,
  };
}
