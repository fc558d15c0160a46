/**
 * Whether a pattern of a capability profile names an intent: an exact name, `prefix.*` for everything below a prefix at any depth,
 * or `*` for every intent. `orders.*` does not name `orders` itself: a pattern covers what it spells out, and
 * `checkCapabilityProfile` warns if an operator may have meant both.
 */
export function patternMatches(pattern: string, intent: string): boolean {
  if (pattern === "*") return true;
  return pattern.endsWith(".*") ? intent.startsWith(pattern.slice(0, -1)) : pattern === intent;
}

/** An intent's standing in a capability profile. */
export type Standing = "allowed" | "denied" | "unlisted";

/** An intent's name in words, as a classifier learns it and a visitor may read it: `orders.delivery_status` is "orders delivery status". */
export function intentNameInWords(name: string): string {
  return name.replaceAll(/[_\-./]+/g, " ").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
}
