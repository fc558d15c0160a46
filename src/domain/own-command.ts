import { fileURLToPath } from "node:url";

/**
 * The command line that runs this program: the executable alone, or the runtime with the sources. In the executable,
 * every module has the URL of the executable's root.
 */
export function ownCommand(
  execPath: string = process.execPath,
  moduleUrl: string = import.meta.url,
): string[] {
  if (!moduleUrl.endsWith("/src/domain/own-command.ts")) return [execPath];
  return [execPath, fileURLToPath(new URL("../main.ts", moduleUrl))];
}
