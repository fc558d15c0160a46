import { loadDriver } from "../../store/sqlite/inspection.ts";
import { type Finding, fine } from "./finding.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Loads the SQLite driver, which an executable first unpacks to the temporary folder. */
export function examineDriver(env: Environment, load = loadDriver): Finding {
  const folder = temporaryFolder(env);
  try {
    load();
    return fine("driver", `the SQLite driver loads; an executable unpacks it to ${folder}`);
  } catch (error) {
    return {
      check: "driver",
      severity: "broken",
      message: `the SQLite driver cannot be unpacked to ${folder} and loaded (${(error as Error).message})`,
      cure: "point BUN_TMPDIR at a folder of this user on a file system without noexec, here and where the server starts",
    };
  }
}

/** The folder where Bun unpacks embedded files, by its order of search. */
export function temporaryFolder(env: Environment): string {
  return env.BUN_TMPDIR || env.TMPDIR || env.TMP || env.TEMP || "/tmp";
}
