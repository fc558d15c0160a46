const LINK = "#link=";

/**
 * The secret that a one-time link carries in its fragment; undefined where the fragment is none of a link. A damaged one is given as it
 * is: the server says that it is no good, and what to do.
 */
export function linkSecretIn(fragment: string): string | undefined {
  const secret = fragment.startsWith(LINK) ? fragment.slice(LINK.length) : "";
  return secret === "" ? undefined : secret;
}
