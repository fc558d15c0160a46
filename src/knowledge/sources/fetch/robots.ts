/** A site's rules for robots. */
export interface RobotsRules {
  /** Whether a path, with its query, may be fetched. */
  allows(path: string): boolean;
}

export const ALLOW_ALL: RobotsRules = { allows: () => true };

interface Rule {
  allow: boolean;
  pattern: string;
}

interface Group {
  agents: string[];
  rules: Rule[];
}

/**
 * Reads a robots.txt (RFC 9309): the groups that name this robot, or else those of `*`. The longest rule counts, `allow` before `disallow`.
 */
export function parseRobots(text: string, robot: string): RobotsRules {
  const groups = groupsIn(text);
  const named = groups.filter(({ agents }) => agents.includes(robot.toLowerCase()));
  const chosen = named.length > 0 ? named : groups.filter(({ agents }) => agents.includes("*"));
  const rules = chosen
    .flatMap((group) => group.rules)
    .toSorted(
      (one, other) => other.pattern.length - one.pattern.length || Number(other.allow) - Number(one.allow),
    );
  return {
    allows: (asked) => {
      const path = normalised(asked);
      return rules.find(({ pattern }) => matchesPath(pattern, path))?.allow ?? true;
    },
  };
}

function groupsIn(text: string): Group[] {
  const groups: Group[] = [];
  for (const line of text.split(/\r\n?|\n/)) {
    const field = /^\s*([\w-]+)\s*:\s*([^#]*)/.exec(line);
    const [name = "", value = ""] = [field?.[1]?.toLowerCase(), field?.[2]?.trim()];
    const open = groups.at(-1);
    if (name === "user-agent") {
      const agent = /^[\w*-]+/.exec(value)?.[0].toLowerCase() ?? "";
      if (open?.rules.length === 0) open.agents.push(agent);
      else groups.push({ agents: [agent], rules: [] });
    } else if ((name === "allow" || name === "disallow") && open !== undefined) {
      // An empty rule forbids nothing, but ends the list of names.
      open.rules.push({ allow: name === "allow" || value === "", pattern: normalised(value) });
    }
  }
  return groups;
}

const UNRESERVED = /[\w.~-]/;

/** Normalises percent-encoding (RFC 9309, 2.2.2): only if it is required, in capitals. */
function normalised(text: string): string {
  return text.replaceAll(/%[\da-fA-F]{2}|["<>\\^`{|}]|[^\x21-\x7e]+/gu, (part) => {
    if (!part.startsWith("%")) return encodeURIComponent(part);
    const character = String.fromCharCode(Number.parseInt(part.slice(1), 16));
    return UNRESERVED.test(character) ? character : part.toUpperCase();
  });
}

/**
 * Whether a path begins with a pattern, in which `*` is any text and `$` at the end is the path's end. Takes at most the product of the
 * lengths as time, for any pattern.
 */
function matchesPath(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith("$");
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split("*");
  const [first = ""] = parts;
  if (!path.startsWith(first)) return false;
  const last = parts.at(-1) ?? "";
  let at = first.length;
  for (const part of parts.slice(1, isWhole ? -1 : undefined)) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  if (!isWhole) return true;
  return parts.length === 1 ? path === first : path.length - last.length >= at && path.endsWith(last);
}
