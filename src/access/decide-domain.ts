import type { DomainRule } from "./allowed-domain.ts";
import { parseWebOrigin, type WebOrigin } from "./web-origin.ts";

/** The two headers that say where a request comes from; null or undefined: absent. */
export interface RequestSource {
  origin: string | null | undefined;
  referer: string | null | undefined;
}

/** Whether the request's domain is allowed, and what decided; `entry` is the operator's text of the rule that matched. */
export type DomainDecision =
  | { allowed: true; entry: string; reason: "any_domain" | "origin_matches" | "referer_matches" }
  | {
      allowed: false;
      reason:
        | "origin_not_listed"
        | "origin_null"
        | "origin_malformed"
        | "referer_not_listed"
        | "referer_malformed"
        | "no_origin";
      entry?: undefined;
    };

/**
 * Decides by `Origin` if it is present, otherwise by the origin of `Referer`. Only http and https
 * origins match a host; one that no browser would send (a path, a user name, white space, two in one) is malformed.
 */
export function decideDomain(rules: readonly DomainRule[], source: RequestSource): DomainDecision {
  const any = rules.find((rule) => rule.kind === "any");
  if (any !== undefined) return { allowed: true, entry: any.entry, reason: "any_domain" };
  if (source.origin === "null") return { allowed: false, reason: "origin_null" };
  if (source.origin != null) return decideBy("origin", parseWebOrigin(source.origin), rules);
  if (source.referer != null) return decideBy("referer", originOfUrl(source.referer), rules);
  return { allowed: false, reason: "no_origin" };
}

function decideBy(
  via: "origin" | "referer",
  origin: WebOrigin | undefined,
  rules: readonly DomainRule[],
): DomainDecision {
  if (origin === undefined) return { allowed: false, reason: `${via}_malformed` };
  const rule = rules.find((candidate) => matches(candidate, origin));
  if (rule === undefined) return { allowed: false, reason: `${via}_not_listed` };
  return { allowed: true, entry: rule.entry, reason: `${via}_matches` };
}

/**
 * The origin of an absolute URL, parsed as strictly as an `Origin`. Browsers end the host at a backslash; here, such a URL is malformed.
 */
function originOfUrl(url: string): WebOrigin | undefined {
  const authorityStart = url.indexOf("://") + 3;
  const authorityLength = url.slice(authorityStart).search(/[/?#]/);
  return parseWebOrigin(authorityLength < 0 ? url : url.slice(0, authorityStart + authorityLength));
}

function matches(rule: DomainRule, origin: WebOrigin): boolean {
  if (rule.kind === "any") return true;
  return (
    (rule.subdomains ? origin.host.endsWith(`.${rule.host}`) : origin.host === rule.host) &&
    (rule.scheme === undefined || rule.scheme === origin.scheme) &&
    (rule.port === undefined || rule.port === origin.port)
  );
}
