import type { Command, OptionValues } from "@commander-js/extra-typings";

/** Adds examples to the end of a command's help, one per line. */
export function addExamples<
  Args extends unknown[],
  Options extends OptionValues,
  Global extends OptionValues,
>(command: Command<Args, Options, Global>, ...lines: string[]): Command<Args, Options, Global> {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  $ ${line}`).join("\n")}`);
}
