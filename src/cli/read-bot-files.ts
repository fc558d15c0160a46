import { BOT_RULES } from "../bots/rules.ts";
import { type ParsedBot, parseBotFiles } from "../seed/bot-file.ts";
import { readBotSources } from "../seed/bot-sources.ts";
import { formatProblem, type SeedProblem } from "../seed/problem.ts";
import type { Colours, Terminal } from "./terminal.ts";

/** What bot files hold. */
export interface ReadBots {
  bots: ParsedBot[];
  problems: SeedProblem[];
  /** How many of the problems are errors. */
  mistakes: number;
}

/** Reads bot files, and tells every problem with its place on stderr. */
export async function readBotFiles(
  { readStdin, say, colours }: Terminal,
  paths: readonly string[],
): Promise<ReadBots> {
  const read = await readBotSources(paths, readStdin);
  const parsed = parseBotFiles(read.sources, BOT_RULES);
  const problems = [...read.problems, ...parsed.problems];
  for (const problem of problems) say(describeProblem(problem, colours.err));
  const mistakes = problems.filter(({ severity }) => severity === "error").length;
  return { bots: parsed.bots, problems, mistakes };
}

/** `one mistake`, `2 mistakes`. */
export function countMistakes(mistakes: number): string {
  return mistakes === 1 ? "one mistake" : `${mistakes} mistakes`;
}

function describeProblem(problem: SeedProblem, colours: Colours): string {
  return problem.severity === "error" ? formatProblem(problem) : colours.yellow(formatProblem(problem));
}
