import { fileURLToPath } from "node:url";

/** The command line that runs this program: the executable by itself, the sources by the runtime that runs them. */
export function ownCommand(): string[] {
  // In the executable, every module has the URL of the executable's root.
  const isSource = import.meta.url.endsWith("/own-command.ts");
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  return isSource ? [process.execPath, main] : [process.execPath];
}
