import { dirname, resolve, sep } from "node:path";

import { BOT_RULES } from "../bots/rules.ts";
import { knowledgeSources } from "../knowledge/sources/source.ts";
import { type ParsedBot, parseBotFiles, type ParsedBotFiles } from "../seed/bot-file.ts";
import { readBotSources } from "../seed/bot-sources.ts";
import { type ConfiguredNames, warnOfUnknownNames } from "../seed/configured-names.ts";
import { formatProblem, type SeedProblem } from "../seed/problem.ts";
import type { Colours, Terminal } from "./terminal.ts";

/**
 * Reads bot files and prints every problem with its place to stderr.
 *
 * @param configured the names in the settings; kinds that are missing there are unknown here. @param refusesFaults whether faults are
 * reported as errors.
 */
export async function readBotFiles(
  { readStdin, say, colours }: Terminal,
  paths: readonly string[],
  {
    configured = {},
    refusesFaults = false,
  }: { configured?: Partial<ConfiguredNames>; refusesFaults?: boolean } = {},
): Promise<ParsedBotFiles> {
  const rules = [...BOT_RULES, warnOfUnknownNames(configured)];
  const read = await readBotSources(paths, readStdin);
  const all = parseBotFiles(read.sources, rules);
  const isDocument = documentsAmong(all.bots, paths);
  const sources = read.sources.filter(({ name }) => !isDocument(name));
  const parsed = sources.length < read.sources.length ? parseBotFiles(sources, rules) : all;
  const unread = read.problems.filter(({ source }) => !isDocument(source));
  const told = refusesFaults ? parsed.problems.map(asError) : parsed.problems;
  const problems = [...unread, ...told];
  for (const problem of problems) say(describeProblem(problem, colours.err));
  const { bots, faults } = parsed;
  return { bots, problems, mistakes: unread.length + parsed.mistakes, faults };
}

/** A fault that is not accepted is reported as an error. */
export function asError(problem: SeedProblem): SeedProblem {
  return problem.isFault ? { ...problem, severity: "error" } : problem;
}

/** The folder that a bot file's paths are relative to; for stdin the current folder. */
export function folderOf({ source }: Pick<ParsedBot, "source">): string {
  return dirname(resolve(source));
}

/** The files that bots name as knowledge. They are not bot files, unless they were named as such. */
function documentsAmong(bots: readonly ParsedBot[], named: readonly string[]): (name: string) => boolean {
  const asBots = new Set(named.map((path) => resolve(path)));
  const places = bots.flatMap((bot) =>
    knowledgeSources(bot.document).flatMap((source) =>
      source.kind === "files" ? [resolve(folderOf(bot), source.path)] : [],
    ),
  );
  return (name) => {
    const file = resolve(name);
    if (asBots.has(file)) return false;
    return places.some((place) => file === place || file.startsWith(`${place}${sep}`));
  };
}

/** `one mistake`, `2 mistakes`. */
export function countMistakes(mistakes: number): string {
  return mistakes === 1 ? "one mistake" : `${mistakes} mistakes`;
}

export function describeProblem(problem: SeedProblem, colours: Colours): string {
  return problem.severity === "error" ? formatProblem(problem) : colours.yellow(formatProblem(problem));
}
