import { childSchemas, isJsonObject, referenced } from "./schema-check.ts";
import { KEYWORDS } from "./schema-keywords.ts";

/** Schemas that one value may be checked against, everything below it along one path included. */
const MAX_APPLICATIONS = 20_000;
const MAX_ANSWER_DEPTH = 100;

export type AnswerDepth = { kind: "bounded"; levels: number } | { kind: "endless" } | { kind: "too-costly" };

/**
 * How deep an answer may nest, so that checking it stays cheap: recursive schemas with several branches double their
 * work with every level. Expects a schema that `checkSchema` found sound.
 */
export function affordableDepth(root: unknown): AnswerDepth {
  if (appliesItself(root, root, new Map())) return { kind: "endless" };
  let below = new Map<unknown, number>();
  for (let levels = 0; levels <= MAX_ANSWER_DEPTH; levels++) {
    const here = new Map<unknown, number>();
    if (applications(root, root, here, levels === 0 ? undefined : below) > MAX_APPLICATIONS) {
      return levels < 2 || !isRecursive(root) ? { kind: "too-costly" } : { kind: "bounded", levels: levels - 1 };
    }
    below = here;
  }
  return { kind: "bounded", levels: MAX_ANSWER_DEPTH };
}
