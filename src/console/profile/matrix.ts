import type { CapabilityProfile } from "../../domain/bot.ts";
import { patternMatches, type Standing } from "../../domain/intent-pattern.ts";

/** An entry of a list for an intent or pattern. */
interface Cell {
  /** Its own name is on the list. */
  isListed: boolean;
  /** Another pattern of the list that matches it; absent: none. */
  by?: string;
}

export interface MatrixRow {
  /** The name of an intent, or a pattern. */
  name: string;
  allow: Cell;
  deny: Cell;
  /** The status of an intent; absent for a pattern. */
  standing?: Standing;
}

/** Intents below one prefix, after the row of their pattern. */
interface MatrixGroup {
  /** Absent for intents that share their prefix with no other. */
  pattern?: MatrixRow;
  intents: MatrixRow[];
}

export interface Matrix {
  groups: MatrixGroup[];
  /** Entries of a list that match no intent of the bot, and `*`. */
  others: MatrixRow[];
  answered: number;
  total: number;
  hasAllowList: boolean;
}

/** The status of each intent in a profile, with the pattern that decides it. Uses the same rules as messages. */
export function matrixOf(intents: readonly string[], profile: CapabilityProfile = {}): Matrix {
  const groups = groupsOf(intents, profile);
  const shown = new Set(
    groups.flatMap(({ pattern, intents: rows }) =>
      [...(pattern ? [pattern] : []), ...rows].map(({ name }) => name),
    ),
  );
  const listed = new Set([...(profile.allow ?? []), ...(profile.deny ?? [])]);
  const others = [...listed]
    .filter((pattern) => !shown.has(pattern))
    .map((pattern) => rowOf(pattern, profile));
  const standings = groups.flatMap((group) => group.intents.map(({ standing }) => standing));
  return {
    groups,
    others,
    answered: standings.filter((standing) => standing === "allowed").length,
    total: standings.length,
    hasAllowList: profile.allow !== undefined,
  };
}

function groupsOf(intents: readonly string[], profile: CapabilityProfile): MatrixGroup[] {
  const byPrefix = new Map<string, string[]>();
  for (const intent of intents) {
    const prefix = intent.includes(".") ? intent.slice(0, intent.indexOf(".")) : "";
    byPrefix.set(prefix, [...(byPrefix.get(prefix) ?? []), intent]);
  }
  return [...byPrefix].map(([prefix, names]) => ({
    ...(prefix === "" ? {} : { pattern: rowOf(`${prefix}.*`, profile) }),
    intents: names.map((name) => ({ ...rowOf(name, profile), standing: standingOf(name, profile) })),
  }));
}

function rowOf(name: string, { allow = [], deny = [] }: CapabilityProfile): MatrixRow {
  return { name, allow: cellOf(name, allow), deny: cellOf(name, deny) };
}

function cellOf(name: string, list: readonly string[]): Cell {
  const by = list.find((pattern) => pattern !== name && patternCovers(pattern, name));
  return { isListed: list.includes(name), ...(by === undefined ? {} : { by }) };
}

/** A pattern covers another if it matches every name that the other matches. */
function patternCovers(pattern: string, name: string): boolean {
  if (name === "*") return false;
  return patternMatches(pattern, name.endsWith(".*") ? name.slice(0, -1) : name);
}

function standingOf(intent: string, { allow, deny = [] }: CapabilityProfile): Standing {
  if (deny.some((pattern) => patternMatches(pattern, intent))) return "denied";
  const isAllowed = allow === undefined || allow.some((pattern) => patternMatches(pattern, intent));
  return isAllowed ? "allowed" : "unlisted";
}

/** The entry that decides an intent's status; undefined if none does. */
export function decidingPattern({ name, allow, deny, standing }: MatrixRow): string | undefined {
  const cell = standing === "denied" ? deny : standing === "allowed" ? allow : undefined;
  return cell?.isListed === true ? name : cell?.by;
}
