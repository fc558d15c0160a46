/** Whether a word occurs in the classifier's training examples. */
export type KnowsWord = (word: string) => boolean;

/** Common parts of web and e-mail addresses: the scheme, "www" and the most frequent endings. */
const COMMON_PARTS = /\bhttps?:\/\/|\bwww\.|\.(?:com|net|org)\b/gi;

/**
 * Removes the common parts of addresses. To a bot with few examples, or none in Latin letters, they would resemble any word with the same
 * beginning, so that a pasted link could be taken for a denied request. Paths and queries stay, because they may contain a request, and so
 * does a part that is also in an example, as in "ASP.NET hosting".
 */
export function withoutCommonAddressParts(text: string, knows: KnowsWord): string {
  return text.replaceAll(COMMON_PARTS, (part) => (knows(part.replaceAll(/[:/.]/g, "")) ? part : ""));
}
