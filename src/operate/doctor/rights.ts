import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { type Finding, listNames, findingsOf } from "./finding.ts";

const RIGHTS = findingsOf("rights");

/** Mode bits for users outside owner and group, and for the group. */
const OTHERS = 0o007;
const GROUP = 0o070;

/** A file's name and mode bits. */
export interface FileMode {
  name: string;
  mode: number;
}

/** Checks who can read the data folder and its files. */
export function examineRights(data: string): Finding {
  // Windows has no mode bits; access control lists are left to the operator.
  if (process.platform === "win32") return RIGHTS.fine("not looked at on Windows");
  const folder = lookAtPath(data)?.mode ?? 0;
  const files = readdirSync(data, { withFileTypes: true }).flatMap(({ name }) => {
    const mode = lookAtPath(join(data, name))?.mode;
    return mode === undefined ? [] : [{ name, mode }];
  });
  return judgeRights(data, folder, files);
}

/** A folder that others cannot enter protects its files, whatever their modes. Pure. */
export function judgeRights(data: string, folder: number, files: readonly FileMode[]): Finding {
  const open = files.filter(({ mode }) => (mode & OTHERS) !== 0).map(({ name }) => name);
  if ((folder & OTHERS) !== 0) {
    return RIGHTS.mend(
      open.length > 0
        ? `every user of this machine can reach ${listNames(open)} in ${data}: visitors' messages are theirs to read or change`
        : `every user of this machine can look into ${data}`,
      `chmod -R go-rwx ${data}`,
    );
  }
  if ((folder & GROUP) !== 0) {
    return RIGHTS.hint(
      `the group of ${data} can look into it`,
      `if that is not meant: chmod -R go-rwx ${data}`,
    );
  }
  return RIGHTS.fine("only the owner can read what is stored");
}

/** A file that holds secrets. */
export interface SecretFile {
  path: string;
  /** Description of its secrets. */
  holds: string;
}

/** Finds secret files that every user of the machine can read. Missing files are no fault. */
export function examineSecretFiles(files: readonly SecretFile[]): Finding[] {
  if (process.platform === "win32") return [];
  return files
    .filter(({ path }) => isReadableByAll(path))
    .map(({ path, holds }) =>
      RIGHTS.mend(
        `every user of this machine can read ${path}, which holds ${holds}`,
        `chmod o-rwx ${path}, and then change what was readable`,
      ),
    );
}

const OTHERS_READ = 0o004;
const OTHERS_ENTER = 0o001;

function isReadableByAll(path: string): boolean {
  const mayRead = ((lookAtPath(path)?.mode ?? 0) & OTHERS_READ) !== 0;
  return mayRead && foldersOf(path).every((folder) => ((lookAtPath(folder)?.mode ?? 0) & OTHERS_ENTER) !== 0);
}

/** The folders above a file, up to the root. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersOf(folder)];
}
