import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { BackupRow } from "../domain/operator/server.ts";
import { FILES, isReadableFolder, statIfThere } from "./doctor/examine-folder.ts";

/** Complete backups in the data folder's backup folder, newest first. */
export function listBackups(data: string): BackupRow[] {
  const folder = join(data, FILES.backups);
  if (!isReadableFolder(folder)) return [];
  const rows = readdirSync(folder).flatMap((name) => {
    const file = name.endsWith(".db") ? statIfThere(join(folder, name)) : undefined;
    return file?.isFile() ? [{ name, at: Math.round(file.mtimeMs), bytes: file.size }] : [];
  });
  return rows.toSorted((a, b) => b.at - a.at);
}
