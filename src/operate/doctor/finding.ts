import { DAY_MS, HOUR_MS } from "../../domain/time.ts";

/** Severities, least serious first. */
export const SEVERITIES = ["fine", "hint", "mend", "broken"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The checks. */
export type CheckName =
  | "data-folder"
  | "store"
  | "rights"
  | "disk-space"
  | "file-system"
  | "driver"
  | "clock"
  | "integrity"
  | "write-ahead-log"
  | "bots"
  | "counting"
  | "encoder"
  | "webhooks"
  | "handoffs"
  | "mail"
  | "model-servers"
  | "endpoints"
  | "buckets"
  | "embed-tokens"
  | "listeners"
  | "proxy"
  | "backups"
  | "storage";

/** The result of a check. Every result but `fine` has a remedy. */
export type Finding =
  | { check: CheckName; severity: "fine"; message: string }
  | { check: CheckName; severity: Exclude<Severity, "fine">; message: string; cure: string };

export function fine(check: CheckName, message: string): Finding {
  return { check, severity: "fine", message };
}

/** Findings of a check, by their severity. */
export function findingsOf(check: CheckName) {
  const finding =
    (severity: Exclude<Severity, "fine">) =>
    (message: string, cure: string): Finding => ({ check, severity, message, cure });
  return {
    fine: (message: string) => fine(check, message),
    hint: finding("hint"),
    mend: finding("mend"),
    broken: finding("broken"),
  };
}

/** The most serious severity; `fine` without findings. */
export function worstOf(findings: readonly Pick<Finding, "severity">[]): Severity {
  const worst = Math.max(0, ...findings.map(({ severity }) => SEVERITIES.indexOf(severity)));
  return SEVERITIES[worst]!;
}

const MAX_NAMES = 5;

/** Names in backticks; for many, the first few and the number of the others. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => `\`${name}\``);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

/** A duration in its largest unit: `3 days`, `2 hours`, `1 minute`. */
export function formatSpan(milliseconds: number): string {
  const days = Math.floor(milliseconds / DAY_MS);
  if (days >= 2) return `${days} days`;
  const hours = Math.floor(milliseconds / HOUR_MS);
  if (hours >= 2) return `${hours} hours`;
  const minutes = Math.max(1, Math.round(milliseconds / 60_000));
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}
