import { type CapabilityProfile, type BotDocument, type BotProblem, type BotRule } from "../../domain/bot.ts";
import { closestName } from "../../domain/closest-name.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import { type Standing, patternMatches } from "../../domain/intent-pattern.ts";
import { responderFor } from "../../domain/responder.ts";
import { SOCIAL_INTENTS } from "../../domain/texts.ts";

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

interface Lists {
  intents: readonly string[];
  allow: readonly string[];
  deny: readonly string[];
}

function listsOf(bot: BotDocument): Lists {
  const { allow = [], deny = [] } = bot.capabilityProfile ?? {};
  const intents: string[] = (bot.intents ?? []).map((intent) => intent.name);
  // Documents can be added by commands even if the bot file names none.
  const mayKnow = bot.knowledge !== undefined || [...allow, ...deny].includes(KNOWLEDGE_INTENT);
  return { intents: mayKnow ? [...intents, KNOWLEDGE_INTENT] : intents, allow, deny };
}

const warning = (pointer: string, message: string): BotProblem => ({ pointer, message, severity: "warning" });

const prefixOf = (pattern: string): string | undefined =>
  pattern.endsWith(".*") ? pattern.slice(0, -2) : undefined;

/** The pattern probably meant by one that matches nothing. */
function likelyPattern(pattern: string, intents: readonly string[]): string | undefined {
  const prefix = prefixOf(pattern);
  if (prefix === undefined) return closestName(pattern, intents);
  if (intents.includes(prefix)) return prefix;
  const prefixes = intents.flatMap((intent) => {
    const segments = intent.split(".");
    return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join("."));
  });
  const closest = closestName(prefix, new Set(prefixes));
  return closest === undefined ? undefined : `${closest}.*`;
}

function unmatched(pattern: string, pointer: string, { intents }: Lists): BotProblem[] {
  // Small-talk intents exist in every bot.
  const known = [...intents, ...SOCIAL_INTENTS];
  if (pattern === "*" || known.some((intent) => patternMatches(pattern, intent))) return [];
  const likely = likelyPattern(pattern, intents);
  const hint = likely === undefined ? "" : `; did you mean \`${likely}\`?`;
  return [{ ...warning(pointer, `\`${pattern}\` matches no intent of this bot${hint}`), isFault: true }];
}

/** Detects `orders.*` without `orders`, if the bot has an intent `orders`: the pattern does not cover it. */
function leavesOutParent(
  pattern: string,
  pointer: string,
  list: readonly string[],
  { intents }: Lists,
): BotProblem[] {
  const prefix = prefixOf(pattern);
  if (prefix === undefined || !intents.includes(prefix)) return [];
  if (!intents.some((intent) => patternMatches(pattern, intent))) return [];
  if (list.some((other) => patternMatches(other, prefix))) return [];
  return [
    warning(
      pointer,
      `\`${pattern}\` does not cover the intent \`${prefix}\`; list \`${prefix}\` too if it should`,
    ),
  ];
}

function repeated(pattern: string, pointer: string, index: number, list: readonly string[]): BotProblem[] {
  return list.indexOf(pattern) === index
    ? []
    : [warning(pointer, `\`${pattern}\` stands in this list twice`)];
}

function neverAllows(pattern: string, pointer: string, { intents, deny }: Lists): BotProblem[] {
  const matched = intents.filter((intent) => patternMatches(pattern, intent));
  const denied = (intent: string) => deny.some((other) => patternMatches(other, intent));
  if (matched.length === 0 || !matched.every(denied)) return [];
  return [warning(pointer, `\`${pattern}\` allows nothing: deny wins, and covers all of it`)];
}

function deniedDefault(bot: BotDocument, { deny }: Lists): BotProblem[] {
  const { defaultIntent } = bot;
  if (defaultIntent === undefined || !deny.some((pattern) => patternMatches(pattern, defaultIntent)))
    return [];
  return [
    warning(
      "/defaultIntent",
      `\`${defaultIntent}\` is denied, so every message that matches nothing is denied`,
    ),
  ];
}

/** Documents that are never used for answers. */
function silentKnowledge({ knowledge, capabilityProfile }: BotDocument): BotProblem[] {
  const standing = compileCapabilityProfile(capabilityProfile).standingOf(KNOWLEDGE_INTENT);
  if (knowledge === undefined || standing === "allowed") return [];
  const cure = standing === "denied" ? "deny covers it" : `add \`${KNOWLEDGE_INTENT}\` to allow`;
  return [warning("/knowledge", `the capability profile does not allow \`${KNOWLEDGE_INTENT}\`: ${cure}`)];
}

/** Warns of profile entries with less effect than they seem to have; entries without any effect are faults. */
export const checkCapabilityProfile: BotRule = (bot) => {
  const lists = listsOf(bot);
  const ofList = (name: "allow" | "deny"): BotProblem[] =>
    lists[name].flatMap((pattern, index) => {
      const pointer = `/capabilityProfile/${name}/${index}`;
      return [
        ...unmatched(pattern, pointer, lists),
        ...leavesOutParent(pattern, pointer, lists[name], lists),
        ...repeated(pattern, pointer, index, lists[name]),
        ...(name === "allow" ? neverAllows(pattern, pointer, lists) : []),
      ];
    });
  return [...ofList("allow"), ...ofList("deny"), ...deniedDefault(bot, lists), ...silentKnowledge(bot)];
};

/** Warns of intents of a scripted bot that are answered, but have no responses. In observe mode, all are answered. */
export const checkSilentIntents: BotRule = (bot) => {
  const profile = compileCapabilityProfile(bot.capabilityProfile);
  const isObserving = bot.capabilityProfile?.mode === "observe";
  return (bot.intents ?? []).flatMap(({ name, responses, action }, index) => {
    const isAllowed = profile.standingOf(name) === "allowed";
    const isAnswered = isAllowed || isObserving;
    const answers =
      responses !== undefined || action !== undefined || responderFor(bot, name).kind === "model";
    if (!isAnswered || answers) return [];
    const where = isAllowed ? "" : " in observe mode";
    const message = `the intent \`${name}\` is allowed${where} but has no \`responses\` to answer with`;
    return [{ pointer: `/intents/${index}`, message, severity: "warning" }];
  });
};
