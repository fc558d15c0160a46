/** How an address holds what would otherwise end its password; every message about such an address names it. */
export const ESCAPED_IN_PASSWORDS = "# / ? @ and % escaped (%23 %2F %3F %40 %25)";

/** @throws Error where the user or the password of an address has a `%` that escapes nothing. Repeats nothing of them. */
export function assertPercentEncoded({ username, password }: URL): void {
  if (/%(?![0-9a-f]{2})/i.test(username + password))
    throw new Error("should write a % of its password as %25");
}
