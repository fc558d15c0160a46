import { sha256 } from "./sha256.ts";

const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/** The secret parts of an address: user and password, or all but the origin: anyone who knows a webhook's address may post to it. */
export type Hides = "credentials" | "all but the origin";

/** An address that may contain a secret. Printing, logging or storing it shows `***`; only `reveal` returns the secret. */
export class SecretUrl {
  readonly #url: string;
  /** The address without its secret parts. */
  readonly shown: string;
  readonly holdsSecret: boolean;

  /** @throws TypeError if `url` is not a URL. */
  constructor(url: string, hides: Hides = "credentials") {
    this.#url = url;
    this.shown = hides === "credentials" ? url.replace(CREDENTIALS, "$1***@") : originOf(url);
    this.holdsSecret =
      hides === "credentials" ? new URL(url).password !== "" : this.shown !== new URL(url).href;
  }

  /** The whole address, for the client that connects to it. */
  reveal(): string {
    return this.#url;
  }

  toString(): string {
    return this.shown;
  }

  toJSON(): string {
    return this.shown;
  }
}

/** Four hexadecimal digits of a hash show that an address has changed; they are too few to find a secret by. */
function originOf(url: string): string {
  const { origin, href } = new URL(url);
  if (href === `${origin}/` || MASKED.test(href)) return href;
  return `${origin}/***${sha256(href).toString("hex").slice(0, 4)}`;
}

const MASKED = /^[a-z]+:\/\/[^/]+\/\*{3}[0-9a-f]{4}$/;
/** Also matches an address that is cut off or inside JSON. */
const ANY_ADDRESS = /https?:\/\/[^\s"'<>\\]+/gi;

/** A JSON value with each web address in its texts shown by its origin alone. Pure. */
export function hideAddresses(value: unknown): unknown {
  if (typeof value === "string") return value.replaceAll(ANY_ADDRESS, hideAddress);
  if (Array.isArray(value)) return value.map(hideAddresses);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, hideAddresses(item)]));
}

function hideAddress(text: string): string {
  return URL.canParse(text) ? originOf(text) : "***";
}
