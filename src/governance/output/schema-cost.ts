import { isJsonObject } from "../../domain/json-object.ts";
import { childSchemas, referenced } from "./schema-check.ts";
import { KEYWORDS } from "./schema-keywords.ts";

/** Times that schemas may be applied to one value and to what lies below it on one path. */
const MAX_APPLICATIONS = 2000;
const MAX_ANSWER_LEVELS = 100;
const MIN_ANSWER_LEVELS = 5;

/**
 * Levels that an answer may nest so that checking it stays cheap: a recursive schema with several branches doubles its
 * work with every level. `endless`: the schema applies itself to the same value. Expects what `checkSchema` found sound.
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

/** Schemas that a schema hands a value to, and those for the value's children. */
interface Edges {
  here: unknown[];
  below: unknown[];
  /** For children that no other of these schemas sees. */
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
