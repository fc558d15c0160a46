/** Usual minimum of systems; below it, a few hundred simultaneous visitors are too many. */
const ENOUGH = 1024;

/**
 * Limit of open file descriptors; undefined on systems without one, such as Windows. At its start Bun has raised the soft limit to the hard
 * one (at most 2^20).
 */
export function descriptorLimit(): number | undefined {
  // Network information is slow and not needed here.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}

/** A warning if the limit is low. */
export function fewDescriptors(limit: number): string | undefined {
  if (limit >= ENOUGH) return undefined;
  return `only ${limit} file descriptors may be open, one for each connection; raise the hard limit (LimitNOFILE=, ulimit -Hn)`;
}
