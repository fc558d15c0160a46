const CREDENTIALS = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;

/** An address that may hold a password. Whatever prints, logs or stores it shows `***` in its place; only `reveal` tells it. */
export class SecretUrl {
  readonly #url: string;
  /** The address without user and password. */
  readonly shown: string;
  readonly hasPassword: boolean;

  /** @throws TypeError where `url` is none. */
  constructor(url: string) {
    this.#url = url;
    this.shown = url.replace(CREDENTIALS, "$1***@");
    this.hasPassword = new URL(url).password !== "";
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
