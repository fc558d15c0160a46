/** The value of a series in Prometheus's text format, by its name and labels as written there; 0 if missing. */
export function valueOf(metrics: string | undefined, series: string): number {
  const line = metrics?.split("\n").find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
