import type { StoredBot } from "../store/interface/bots.ts";

const MOST_LISTED = 5;

/** Addresses of the demo pages, one indented line each; for many bots the first few and the number of the others. */
export function listDemoPages(
  publicUrl: string,
  bots: readonly Pick<StoredBot, "id" | "enabled">[],
): string[] {
  const enabled = bots.filter((bot) => bot.enabled);
  if (enabled.length === 0) return ["  none: no bot is enabled"];
  const rest = enabled.length - MOST_LISTED;
  return [
    ...enabled.slice(0, MOST_LISTED).map(({ id }) => `  ${publicUrl}/demo/${id}`),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}
