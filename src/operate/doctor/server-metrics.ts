/** The value of a metric in Prometheus's text format, by its name with its labels as they are written there; 0 where there is none. */
export function valueOf(metrics: string | undefined, series: string): number {
  const line = metrics?.split("\n").find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}
