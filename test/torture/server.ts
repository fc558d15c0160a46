import { type ServingExecutable, serveExecutable } from "../support/executable.ts";
import type { TortureFolder } from "./folder.ts";

const FLAGS = [
  "--log-level",
  "silent",
  "--rate-limit-capacity",
  "1000000",
  "--rate-limit-per-minute",
  "1000000",
];

export interface ServeOptions {
  /** Where the model server is. */
  modelUrl?: string;
  env?: Record<string, string>;
}

/** A server on the folder, without limits that a torture would run into. */
export function serve(
  folder: TortureFolder,
  { modelUrl, env }: ServeOptions = {},
): Promise<ServingExecutable> {
  const models = modelUrl && JSON.stringify({ local: { baseUrl: modelUrl, model: "tiny" } });
  return serveExecutable(folder.path, FLAGS, {
    ...folder.env,
    ...env,
    ...(models && { PARLEY_MODELS: models }),
  });
}

/** kill -9, and the wait until it is done. */
export async function kill({ process }: ServingExecutable): Promise<void> {
  process.kill("SIGKILL");
  await process.exited;
}
