import type { KnowsWord } from "./knows-word.ts";

/** What web and e-mail addresses have in common: the scheme, "www", and the most frequent endings of a host's name. */
const COMMON_PARTS = /\bhttps?:\/\/|\bwww\.|\.(?:com|net|org)\b/gi;

/**
 * A text whose addresses say only what sets them apart. To a bot with few examples, or none in Latin letters, the rest looks like
 * whichever of its words begins alike, so that a pasted link could pass for a denied request. Paths and queries stay, because a
 * request may stand in them; and so does a part that an example says too, as in "ASP.NET hosting".
 */
export function withoutCommonAddressParts(text: string, knows: KnowsWord): string {
  return text.replaceAll(COMMON_PARTS, (part) => (knows(part.replaceAll(/[:/.]/g, "")) ? part : ""));
}
