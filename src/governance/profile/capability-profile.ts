import type { CapabilityProfile } from "../../domain/bot.ts";
import type { Standing } from "../../domain/intent-pattern.ts";

/** A capability profile, ready to be asked. Pure. */
export interface CompiledProfile {
  /** Patterns judge any name, also one that the bot has no intent for. */
  standingOf(intent: string): Standing;
}

/** Lets every intent pass; what observe mode answers by. */
export const OPEN_PROFILE: CompiledProfile = { standingOf: () => "allowed" };

/** A test for "some pattern matches", in constant time for names and one step per prefix. */
function matcherOf(patterns: readonly string[]): (intent: string) => boolean {
  if (patterns.includes("*")) return () => true;
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith(".*")));
  const prefixes = patterns
    .filter((pattern) => pattern.endsWith(".*"))
    .map((pattern) => pattern.slice(0, -1));
  return (intent) => names.has(intent) || prefixes.some((prefix) => intent.startsWith(prefix));
}

/**
 * Compiles allow and deny lists (decisions §7): deny wins; without an allow list everything that is not denied is
 * allowed; an empty one allows nothing.
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
