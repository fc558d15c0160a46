import type { Overview } from "../../../domain/operator/overview.ts";
import { count } from "../../words/numbers.ts";
import { utcShortDay } from "../../words/times.ts";

type Usage = Overview["usage"][number];

/** A cap of a bot with its use. */
export interface Limit {
  readonly bot: string;
  readonly kind: "messages" | "model tokens";
  readonly used: number;
  /** Absent: no cap. */
  readonly most: number | undefined;
  /** Forecast for the end of the month at the current rate. */
  readonly expected: number;
  /** When the cap is used up at the current rate; absent: not this month. */
  readonly spentAt: number | undefined;
}

/** Every cap and budget of the month, and the messages of bots without one. @param now an instant of that month, UTC. */
export function limitsOf(usage: readonly Usage[], now: number): Limit[] {
  return usage.flatMap(({ bot, messages, cap, modelTokens, tokenBudget }) => [
    limit(bot, "messages", messages, cap, now),
    ...(modelTokens > 0 || tokenBudget !== undefined
      ? [limit(bot, "model tokens", modelTokens, tokenBudget, now)]
      : []),
  ]);
}

function limit(bot: string, kind: Limit["kind"], used: number, most: number | undefined, now: number): Limit {
  const { start, end } = monthOf(now);
  const perMs = used / Math.max(1, now - start);
  const expected = Math.round(perMs * (end - start));
  const spentAt = most !== undefined && expected > most ? Math.max(now, start + most / perMs) : undefined;
  return { bot, kind, used, most, expected, spentAt };
}

function monthOf(at: number): { start: number; end: number } {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}

/** The forecast in words: `38,100 by 30 Nov`, or when the cap is used up. Rounded to three digits, because it is an estimate. */
export function paceOf({ used, most, expected, spentAt }: Limit, now: number): string {
  if (most !== undefined && used >= most) return "spent";
  if (spentAt !== undefined) return `used up on ${utcShortDay(spentAt)}`;
  const digits = Math.max(1, 10 ** (Math.floor(Math.log10(Math.max(1, expected))) - 2));
  return `${count(Math.round(expected / digits) * digits)} by ${utcShortDay(monthOf(now).end - 1)}`;
}

/** `November`, and how many days of it are left. */
export function monthWords(now: number): { name: string; left: string } {
  const name = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" }).format(now);
  const days = Math.ceil((monthOf(now).end - now) / 86_400_000);
  return { name, left: `${days} ${days === 1 ? "day" : "days"} left` };
}
