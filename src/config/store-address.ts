/** How an address holds what would otherwise end its password; every message about such an address names it. */
export const ESCAPED_IN_PASSWORDS = "# / ? @ and % escaped (%23 %2F %3F %40 %25)";

/** @throws Error if the user or the password of an address has a `%` that escapes nothing. Repeats nothing of them. */
export function assertPercentEncoded({ username, password }: URL): void {
  if (/%(?![0-9a-f]{2})/i.test(username + password))
    throw new Error("should write a % of its password as %25");
}

/** Where a PostgreSQL database is. Shown without its password, whoever shows it: in logs, in JSON, in messages. */
export class StoreAddress {
  /** For people. */
  readonly shown: string;
  readonly #url: URL;

  constructor(url: URL) {
    this.#url = url;
    const shown = new URL(url);
    shown.password = "";
    this.shown = shown.href;
  }

  /** With its password, for the driver alone. */
  reveal(): URL {
    return new URL(this.#url);
  }

  get holdsPassword(): boolean {
    return this.#url.password !== "";
  }

  toString(): string {
    return this.shown;
  }

  toJSON(): string {
    return this.shown;
  }
}

const TLS_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
export type TlsMode = (typeof TLS_MODES)[number];

/** Allowed parameters after the `?` of an address. */
const PARAMETERS: Readonly<Record<string, (value: string) => boolean>> = {
  sslmode: (value) => TLS_MODES.some((mode) => mode === value),
  sslrootcert: (value) => value !== "",
  prepare: (value) => value === "true" || value === "false",
};

/** @throws Error whose message repeats nothing of the text, which may hold a password. */
export function parseStoreAddress(text: string): StoreAddress {
  const url = URL.parse(text);
  if (!url || !["postgres:", "postgresql:"].includes(url.protocol) || url.hostname === "") {
    throw new Error(
      `should be an address as postgres://user:password@host:5432/database, in which a password has ${ESCAPED_IN_PASSWORDS}`,
    );
  }
  assertPercentEncoded(url);
  if (url.pathname.length < 2) throw new Error("should name the database, as postgres://user@host/database");
  for (const [name, value] of url.searchParams) {
    if (PARAMETERS[name]?.(value)) continue;
    const known = "sslmode (disable to verify-full), sslrootcert (a file) and prepare (true or false)";
    throw new Error(`should have no parameters but ${known}`);
  }
  return new StoreAddress(url);
}
