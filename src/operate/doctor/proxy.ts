import type { Config } from "../../config/config.ts";
import { type Finding, fine } from "./finding.ts";
import { valueOf } from "./server-metrics.ts";

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
    return { check: "proxy", severity: "mend", message, cure };
  }
  if (far > 0) {
    const message = `${far} requests from other networks had an X-Forwarded-For, which was ignored: of a proxy out there, or made up by the caller`;
    return { check: "proxy", severity: "hint", message, cure: `if a proxy of yours is out there: ${cure}` };
  }
  if (trustProxy.length === 0 && publicUrl?.startsWith("https:") === true) {
    const message = "--public-url begins with https, which a proxy must speak, and none is trusted";
    return { check: "proxy", severity: metrics === undefined ? "mend" : "hint", message, cure };
  }
  return fine("proxy", trustProxy.length > 0 ? `trusted: ${trustProxy.join(", ")}` : "none was seen");
}
