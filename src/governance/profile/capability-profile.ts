import type { CapabilityProfile } from "../../domain/bot.ts";
import type { Standing } from "../../domain/intent-pattern.ts";

/** A compiled capability profile. Pure. */
export interface CompiledProfile {
  /** Works for any name, including unknown intents. */
  standingOf(intent: string): Standing;
}

/** Allows every intent; used for answers in observe mode. */
export const OPEN_PROFILE: CompiledProfile = { standingOf: () => "allowed" };

/** Tests whether any pattern matches: constant time for names, one step per prefix. */
function matcherOf(patterns: readonly string[]): (intent: string) => boolean {
  if (patterns.includes("*")) return () => true;
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith(".*")));
  const prefixes = patterns
    .filter((pattern) => pattern.endsWith(".*"))
    .map((pattern) => pattern.slice(0, -1));
  return (intent) => names.has(intent) || prefixes.some((prefix) => intent.startsWith(prefix));
}

/**
 * Compiles allow and deny lists: deny wins; without an allow list everything not denied is allowed; an empty allow list
 * allows nothing.
 */
export function compileCapabilityProfile(profile: CapabilityProfile = {}): CompiledProfile {
  const denies = matcherOf(profile.deny ?? []);
  const allows = profile.allow === undefined ? () => true : matcherOf(profile.allow);
  return {
    standingOf(intent) {
      if (denies(intent)) return "denied";
      return allows(intent) ? "allowed" : "unlisted";
    },
  };
}
