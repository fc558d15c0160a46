const UNITS = ["KB", "MB", "GB", "TB"];

/** A size as a reader takes it in: `512 B`, `12.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), UNITS.length);
  return `${(bytes / 1000 ** power).toFixed(1)} ${UNITS[power - 1]}`;
}
