import { type Command, Option } from "@commander-js/extra-typings";

import { EMAIL_PATTERN } from "../../domain/handoff.ts";
import { newDeliveryId } from "../../domain/ids.ts";
import { DeliveryError } from "../../notify/delivery-error.ts";
import { Mailer } from "../../notify/send-mail.ts";
import { addExamples } from "../examples.ts";
import { CheckFailedError, UsageError } from "../exit-code.ts";
import { formatJson, printable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

const LETTER = {
  subject: "A test of Parley's e-mails",
  text: "This is what `parley mail test` sends. E-mails of hand-offs come by the same mail server, from the same sender.\n",
};

/** `parley mail …` */
export function addMailCommands(program: Command, terminal: Terminal): void {
  const mail = program.command("mail").description("test e-mails about hand-offs");
  const command = mail
    .command("test")
    .description("send a test e-mail with the configured mail server, and say whether the server accepted it")
    .addOption(new Option("--to <address>", "the recipient; without it, the sender of --mail-from"))
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["smtp", "mailFrom"]),
    "parley mail test --config parley.yaml",
    "parley mail test --to team@example.com --config parley.yaml",
  );
  command.action(async (options) => {
    const { smtp, mailFrom } = readConfig(terminal, options);
    if (!smtp || mailFrom === undefined)
      throw new UsageError(`e-mails need ${smtp ? "--mail-from" : "--smtp and --mail-from"}`);
    const to = options.to ?? addressOf(mailFrom);
    if (!new RegExp(EMAIL_PATTERN).test(to)) throw new UsageError(`--to: \`${to}\` is not an e-mail address`);
    const id = newDeliveryId(terminal.now(), terminal.randomBytes);
    const error = await faultOf(new Mailer(smtp, mailFrom).send(to, id, LETTER));
    const server = smtp.shown;
    if (options.json) terminal.print(formatJson({ server, to, isTaken: error === undefined, ...error }));
    else if (!error) terminal.print(printable(`${server} accepted an e-mail for ${to}`));
    if (error) throw new CheckFailedError(`${server}: ${error.error}`);
  });
}

/** The address in `Parley <parley@example.com>`. */
function addressOf(sender: string): string {
  return /<([^<>]+)>$/.exec(sender)?.[1] ?? sender;
}

async function faultOf(sending: Promise<void>): Promise<{ error: string } | undefined> {
  try {
    await sending;
    return undefined;
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    return { error: error.message };
  }
}
