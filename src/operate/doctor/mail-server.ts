import type { Config } from "../../config/config.ts";
import { DeliveryError } from "../../notify/delivery-error.ts";
import { Mailer } from "../../notify/send-mail.ts";
import { type Finding, fine } from "./finding.ts";

/** Whether the mail server responds and accepts the login. No mail is sent. */
export async function examineMailServer({
  smtp,
  mailFrom,
}: Pick<Config, "smtp" | "mailFrom">): Promise<Finding[]> {
  if (!smtp || mailFrom === undefined) return [];
  try {
    await new Mailer(smtp, mailFrom).verify();
    return [fine("mail", `${smtp.shown} answers${smtp.holdsSecret ? ", and takes the login" : ""}`)];
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    const cure =
      "see that address, user and password of `smtp` are right, and that this machine may connect there; `parley mail test` sends an e-mail";
    return [{ check: "mail", severity: "mend", message: `${smtp.shown}: ${error.message}`, cure }];
  }
}
