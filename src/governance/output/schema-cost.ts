import { isJsonObject } from "../../domain/json-object.ts";
import { childSchemas, referenced } from "./schema-check.ts";
import { KEYWORDS } from "./schema-keywords.ts";

/**
 * Most schemas applied to one value and one path of values inside it. A schema with two recursive branches reaches it at its eleventh
 * level; ordinary schemas apply fewer than a hundred.
 */
const MAX_APPLICATIONS = 2000;
/** Deeper answers are rejected even if checking them is cheap, because parsers are recursive. */
const MAX_ANSWER_LEVELS = 100;
/** A schema that cannot be checked to this depth is rejected. */
const MIN_ANSWER_LEVELS = 5;

/**
 * Deepest nesting of an answer that is cheap to check: a recursive schema with two branches doubles the work with every level. `endless` if
 * the schema applies itself to the same value. Expects a schema that passed `checkSchema`.
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

/** The schemas that a schema applies to a value. */
interface Edges {
  /** To the value itself, like `anyOf`. */
  here: unknown[];
  /** To children that several of them may check, like `items` and `patternProperties`; their costs add up. */
  below: unknown[];
  /** To one child each, like `properties`. A path leads through only one of them, so the most expensive counts. */
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

/** Whether a schema applies itself to the same value. */
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

/** Number of schemas applied to a value with `levels` levels below it, along its most expensive path. */
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
