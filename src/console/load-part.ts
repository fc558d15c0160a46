import { Problem } from "./api/problem.ts";

/** There is no connection, or the server was updated and no longer has this version's files. */
const NOT_LOADED = new Problem({
  status: 0,
  code: "NOT_LOADED",
  detail: "This part of the console could not be loaded. Parley does not respond, or was updated.",
});

/** Only a reload helps: browsers remember a script that failed to load. */
export function needsReload(problem: Problem): boolean {
  return problem === NOT_LOADED;
}

/** Loads a part of the console on demand. @throws Problem NOT_LOADED */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch {
    throw NOT_LOADED;
  }
}
