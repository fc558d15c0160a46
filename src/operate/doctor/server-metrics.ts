import type { Config } from "../../config/config.ts";
import { STORAGE_FAILURE_KINDS, type StorageFailureKind } from "../../store/interface/health.ts";
import { type Finding, findingsOf } from "./finding.ts";

const PROXY = findingsOf("proxy");
const STORAGE = findingsOf("storage");

/** The value of a series in Prometheus's text format, by its name and labels as written there; 0 if missing. */
function valueOf(metrics: string | undefined, series: string): number {
  const line = metrics?.split("\n").find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1) ?? 0);
}

/** The metric that counts requests with `X-Forwarded-For` from a peer that `--trust-proxy` does not name. */
const METRIC = "parley_ignored_forwarding_total";

/**
 * Detects a reverse proxy that is not trusted, so that all its visitors count as one. `metrics` are those of the running server, if any.
 * Pure.
 */
export function judgeProxy(
  { trustProxy, publicUrl }: Pick<Config, "trustProxy" | "publicUrl">,
  metrics: string | undefined,
): Finding {
  const near = valueOf(metrics, `${METRIC}{peer="near"}`);
  const far = valueOf(metrics, `${METRIC}{peer="far"}`);
  const cure = "name the proxy's address with --trust-proxy, as in `--trust-proxy 127.0.0.1`";
  if (near > 0) {
    const message = `the server was reached ${near} times through a proxy on this machine or its network that it does not trust: all visitors behind it share one token bucket`;
    return PROXY.mend(message, cure);
  }
  if (far > 0) {
    const message = `${far} requests from other networks had an X-Forwarded-For, which was ignored: of a proxy out there, or made up by the caller`;
    return PROXY.hint(message, `if a proxy of yours is out there: ${cure}`);
  }
  if (trustProxy.length === 0 && publicUrl?.startsWith("https:") === true) {
    const message = "--public-url begins with https, which a proxy must speak, and none is trusted";
    return PROXY[metrics === undefined ? "mend" : "hint"](message, cure);
  }
  return PROXY.fine(trustProxy.length > 0 ? `trusted: ${trustProxy.join(", ")}` : "none was seen");
}

const SAYS: Record<StorageFailureKind, string> = {
  moved: "its database was moved, deleted, cut or replaced under it",
  damaged: "its database is damaged",
  unreliable: "its disk failed to write",
};

/** Assets of the running server that are missing in its store, according to its `metrics`. Pure. */
export function judgeAssets(metrics: string): Finding[] {
  if (valueOf(metrics, "parley_assets_unstored") === 0) return [];
  return [
    STORAGE.mend(
      "the server that runs could not store its files of the widget and the console: pages that are open may lose them in an upgrade",
      "its log says why; it tries again every minute. Upgrade it when this has gone",
    ),
  ];
}

/** Whether the running server's writes last, according to its `metrics`. Pure. */
export function judgeStorage(metrics: string): Finding {
  const failed = STORAGE_FAILURE_KINDS.filter(
    (kind) => valueOf(metrics, `parley_storage_failed{kind="${kind}"}`) > 0,
  );
  if (failed.length === 0) return STORAGE.fine("the server that runs acknowledges what is on disk");
  const what = failed.map((kind) => SAYS[kind]).join(", and ");
  return STORAGE.broken(
    `the server that runs acknowledges no message any more: ${what}`,
    "the line of level fatal in its log says how to go on; it has to be started again",
  );
}
