import { isJsonObject } from "../../domain/json-object.ts";
import { childSchemas, referenced } from "./schema-check.ts";
import { KEYWORDS } from "./schema-keywords.ts";

/**
 * The most schemas that may be applied to one value and to one path of values inside it. A schema with two branches that both recur
 * gets there at its eleventh level; schemas of ordinary answers apply fewer than a hundred.
 */
const MAX_APPLICATIONS = 2000;
/** Deeper answers are refused even where they are cheap to check: parsers recurse. */
const MAX_ANSWER_LEVELS = 100;
/** A schema that cannot be checked down to this level is of no use. */
const MIN_ANSWER_LEVELS = 5;

/**
 * How many levels deep an answer may nest so that checking it stays cheap: a recursive schema with two branches doubles its work with
 * every level. Returns `endless` where the schema applies itself to the same value again. Expects what `checkSchema` found sound.
 */
export function affordableLevels(root: unknown): number | "endless" | "too costly" {
  if (appliesItself(root)) return "endless";
  const memo: Map<unknown, number>[] = [];
  for (let levels = 0; levels < MAX_ANSWER_LEVELS; levels++) {
    if (applications(root, levels, root, memo) > MAX_APPLICATIONS) {
      return levels <= MIN_ANSWER_LEVELS ? "too costly" : levels - 1;
    }
  }
  return MAX_ANSWER_LEVELS;
}

/** The schemas that a schema applies when it checks a value. */
interface Edges {
  /** To the value itself, as `anyOf` does. */
  here: unknown[];
  /** To children that several of these may check, as `items` and `patternProperties` do. Their costs add up. */
  below: unknown[];
  /** To one child each, as `properties` does. A path leads through one of them, so the costliest counts alone. */
  apart: unknown[];
}

function edgesOf(schema: unknown, root: unknown): Edges {
  const edges: Edges = { here: [], below: [], apart: [] };
  if (!isJsonObject(schema)) return edges;
  for (const [name, value] of Object.entries(schema)) {
    const keyword = KEYWORDS.get(name);
    if (keyword?.kind === "ref") edges.here.push(referenced(value as string, root));
    else if (keyword?.reach !== undefined && keyword.reach !== "nowhere") {
      edges[keyword.reach].push(...childSchemas(keyword.kind, value).map((child) => child.schema));
    }
  }
  return edges;
}

/** Whether a schema leads back to itself without stepping down to a child of the value. */
function appliesItself(root: unknown): boolean {
  const states = new Map<unknown, "open" | "done">();
  const waiting = [root];
  const visit = (schema: unknown): boolean => {
    if (!isJsonObject(schema) || states.get(schema) === "done") return false;
    if (states.get(schema) === "open") return true;
    states.set(schema, "open");
    const { here, below, apart } = edgesOf(schema, root);
    waiting.push(...below, ...apart);
    const loops = here.some(visit);
    states.set(schema, "done");
    return loops;
  };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (visit(next)) return true;
  }
  return false;
}

/** How many schemas are applied to a value with `levels` levels below it, and to one path through them. */
function applications(schema: unknown, levels: number, root: unknown, memo: Map<unknown, number>[]): number {
  if (!isJsonObject(schema)) return 1;
  const atLevel = (memo[levels] ??= new Map());
  const known = atLevel.get(schema);
  if (known !== undefined) return known;
  const { here, below, apart } = edgesOf(schema, root);
  const sum = (schemas: unknown[], level: number): number =>
    schemas.reduce<number>((total, child) => total + applications(child, level, root, memo), 0);
  const ofChildren =
    levels === 0
      ? 0
      : sum(below, levels - 1) +
        Math.max(0, ...apart.map((child) => applications(child, levels - 1, root, memo)));
  const total = 1 + sum(here, levels) + ofChildren;
  atLevel.set(schema, total);
  return total;
}
