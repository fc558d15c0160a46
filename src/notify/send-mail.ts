import type { Transporter } from "nodemailer";

import type { SecretUrl } from "../domain/secret-url.ts";
import { DeliveryError } from "./delivery-error.ts";
import type { Letter } from "./letter.ts";

/** Milliseconds that each step of a delivery may take. */
const TIMEOUT_MS = 15_000;

/** Sends e-mails through one mail server. */
export class Mailer {
  readonly #server: SecretUrl;
  readonly #from: string;
  #transport: Promise<Transporter> | undefined;

  constructor(server: SecretUrl, from: string) {
    this.#server = server;
    this.#from = from;
  }

  /** In plain text only. @throws DeliveryError if the mail server did not accept it */
  async send(to: string, id: string, { subject, text, replyTo }: Letter): Promise<void> {
    const transport = await this.#open();
    try {
      await transport.sendMail({
        from: this.#from,
        to: { name: "", address: to },
        subject,
        text,
        // The same id at each try, so that mail programs recognise a repetition.
        messageId: `<${id}@parley.invalid>`,
        ...(replyTo !== undefined && { replyTo: { name: "", address: replyTo } }),
      });
    } catch (cause) {
      throw refusal("the mail server did not take it", cause);
    }
  }

  /** Connects and signs in without sending anything. @throws DeliveryError if that fails */
  async verify(): Promise<void> {
    const transport = await this.#open();
    try {
      await transport.verify();
    } catch (cause) {
      throw refusal("the mail server does not let us in", cause);
    }
  }

  #open(): Promise<Transporter> {
    this.#transport ??= openTransport(this.#server);
    return this.#transport;
  }
}

/** Loads the library with the first e-mail, because most servers send none. */
async function openTransport(server: SecretUrl): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  return createTransport({
    url: server.reveal(),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // A visitor's text must not name a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

function refusal(what: string, cause: unknown): DeliveryError {
  const { code = "unknown", responseCode } = cause as { code?: string; responseCode?: number };
  const status = responseCode === undefined ? "" : `, status ${responseCode}`;
  // 5xx: permanent failure (RFC 5321 §4.2.1). A refused password is not final, because an operator can correct it.
  const isFinal = responseCode !== undefined && responseCode >= 500 && code !== "EAUTH";
  return new DeliveryError(`${what} (${code}${status})`, { isFinal, cause });
}
