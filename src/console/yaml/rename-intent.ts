import { intentAt, setPattern } from "./bot-edits.ts";
import { setEach } from "./edit.ts";
import { type Path, readValue } from "./place.ts";
import { isFields, valueAt } from "./plain.ts";

const LISTS = ["allow", "deny"] as const;

/** Prefix of Parley's own small-talk turns, which exist without an intent of that name. */
const OWN_TURNS = "social.";

/**
 * Renames an intent everywhere in a bot's text: profile lists, default intent, follow-up questions and tests. Patterns stay. Undefined if
 * there is no such intent, or a place is reached through an alias.
 */
export function renameIntent(text: string, from: string, to: string): string | undefined {
  const at = intentAt(text, from);
  if (at < 0) return undefined;
  const own = ["intents", at, "name"];
  // If two intents have this name, references still mean the other one.
  if (hasTwice(text, from)) return setEach(text, [own], to);
  const listed = inLists(text, from, to);
  return listed && setEach(listed, [own, ...placesOf(readValue(listed), from)], to);
}

function hasTwice(text: string, name: string): boolean {
  const intents = valueAt(readValue(text), ["intents"]) as unknown[];
  return intents.filter((intent) => isFields(intent) && intent["name"] === name).length > 1;
}

/**
 * Lists in which replacing the name is not enough: those that already contain the new name, or that must keep naming one of Parley's own
 * turns.
 */
function inLists(text: string, from: string, to: string): string | undefined {
  let edited: string | undefined = text;
  for (const list of LISTS) {
    const patterns = valueAt(readValue(text), ["capabilityProfile", list]);
    if (edited === undefined || !Array.isArray(patterns) || !patterns.includes(from)) continue;
    if (from.startsWith(OWN_TURNS)) edited = setPattern(edited, list, to, true);
    else if (patterns.includes(to)) edited = setPattern(edited, list, from, false);
  }
  return edited;
}

/** All paths that refer to an intent, except its own name. */
function placesOf(bot: unknown, name: string): Path[] {
  const entries = (path: Path): Path[] => {
    const list = valueAt(bot, path);
    return Array.isArray(list) ? list.map((_, at) => [...path, at]) : [];
  };
  const tests = entries(["tests"]);
  const turns = tests.flatMap((test) => [test, ...entries([...test, "dialogue"])]);
  const lists = name.startsWith(OWN_TURNS) ? [] : LISTS;
  return [
    ["defaultIntent"],
    ...lists.flatMap((list) => entries(["capabilityProfile", list])),
    ...entries(["intents"]).flatMap((intent) => entries([...intent, "next"])),
    ...turns.map((turn) => [...turn, "intent"]),
  ].filter((path) => valueAt(bot, path) === name);
}
