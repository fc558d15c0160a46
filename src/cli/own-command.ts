/** Files inside a compiled executable have such paths; on Windows the second. */
const EMBEDDED = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/i;

/** The command line that runs this program: the executable, or Bun with the sources. */
export function ownCommand(execPath: string = process.execPath, main: string = Bun.main): string[] {
  return EMBEDDED.test(main) ? [execPath] : [execPath, main];
}
