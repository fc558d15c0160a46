const LINK = "#link=";

/**
 * The secret in the fragment of a one-time link; undefined if the fragment is not from such a link. A damaged secret is returned as it is:
 * the server then says that it is invalid and what to do.
 */
export function linkSecretIn(fragment: string): string | undefined {
  const secret = fragment.startsWith(LINK) ? fragment.slice(LINK.length) : "";
  return secret === "" ? undefined : secret;
}
