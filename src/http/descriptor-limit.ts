/** What systems grant at least by default; below it, a few hundred visitors at once are too many. */
const ENOUGH = 1024;

/**
 * Most file descriptors that this process may have open; undefined where the system has no such limit, as Windows. Bun has
 * raised the soft limit to the hard one when the process started (at most 2^20).
 */
export function descriptorLimit(): number | undefined {
  // Looking at the network could take long, and is of no use here.
  const report = Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : undefined;
}

/** What an operator should know where the limit is low. */
export function fewDescriptors(limit: number): string | undefined {
  if (limit >= ENOUGH) return undefined;
  return `only ${limit} file descriptors may be open, one for each connection; raise the hard limit (LimitNOFILE=, ulimit -Hn)`;
}
