import { type Command, Option } from "@commander-js/extra-typings";

import type { Webhooks, WebhookSettings } from "../../config/webhooks.ts";
import { didYouMean } from "../../domain/closest-name.ts";
import { EMAIL_PATTERN } from "../../domain/handoff.ts";
import { newDeliveryId } from "../../domain/ids.ts";
import { DeliveryError } from "../../notify/delivery-error.ts";
import { Mailer } from "../../notify/send-mail.ts";
import { sendWebhook } from "../../notify/send-webhook.ts";
import { secretFault } from "../../notify/signature.ts";
import { addExamples } from "../examples.ts";
import { CheckFailedError, UsageError } from "../exit-code.ts";
import { formatJson, printable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** The result of a test. It does not contain the address, which is secret. */
interface WebhookReport {
  name: string;
  /** HTTP status of the receiver's answer. */
  status?: number;
  milliseconds?: number;
  error?: string;
}

/** `parley webhook …` */
export function addWebhookCommands(program: Command, terminal: Terminal): void {
  const webhook = program.command("webhook").description("webhooks of the config file");
  const command = webhook
    .command("test")
    .description(
      "send each webhook a signed event of type webhook.test, and say whether its receiver accepted it",
    )
    .argument("[name]", "a webhook under `webhooks`; without it, all webhooks")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["webhooks"]),
    "parley webhook test --config parley.yaml",
    "parley webhook test crm --config parley.yaml --json",
  );
  command.action(async (name, options) => {
    const reports: WebhookReport[] = [];
    for (const [selected, settings] of selectWebhooks(readConfig(terminal, options).webhooks, name)) {
      const report = { name: selected, ...(await testWebhook(terminal, selected, settings)) };
      reports.push(report);
      if (!options.json) terminal.print(printable(formatReport(report)));
    }
    if (options.json) terminal.print(formatJson({ webhooks: reports }));
    const failed = reports.filter(({ error }) => error !== undefined);
    if (failed.length > 0)
      throw new CheckFailedError(`not accepted by ${failed.map((report) => report.name).join(", ")}`);
  });
}

function selectWebhooks(webhooks: Webhooks, name: string | undefined): [string, WebhookSettings][] {
  const all = Object.entries(webhooks);
  if (all.length === 0)
    throw new UsageError("no webhooks are configured; add some under `webhooks` in the --config file");
  const selected = all.filter(([known]) => name === undefined || known === name);
  if (selected.length > 0) return selected;
  throw new UsageError(`no webhook \`${name}\`${didYouMean(name ?? "", Object.keys(webhooks))}`);
}

async function testWebhook(
  { env, now, randomBytes }: Terminal,
  webhook: string,
  settings: WebhookSettings,
): Promise<Omit<WebhookReport, "name">> {
  const secret = env[settings.secretEnv] ?? "";
  const fault = secretFault(secret);
  if (fault !== undefined) return { error: `the environment variable ${settings.secretEnv} ${fault}` };
  const at = new Date(now());
  const notice = { type: "webhook.test", timestamp: at.toISOString(), data: { webhook } } as const;
  const id = newDeliveryId(at.getTime(), randomBytes);
  const startedAt = performance.now();
  try {
    const status = await sendWebhook({ settings, secret, id, notice, now: at });
    return { status, milliseconds: Math.round(performance.now() - startedAt) };
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
    return { error: error.message };
  }
}

function formatReport({ name, status, milliseconds, error }: WebhookReport): string {
  return error === undefined
    ? `${name}: accepted with status ${status} in ${milliseconds} ms`
    : `${name}: ${error}`;
}

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
