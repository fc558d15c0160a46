import { composeNotice } from "../chat/notices/compose-notice.ts";
import type { TellParts } from "../chat/notices/who-is-told.ts";
import type { Config } from "../config/config.ts";
import type { Webhooks } from "../config/webhooks.ts";
import { closestName } from "../domain/closest-name.ts";
import type { DueDelivery } from "../domain/delivery.ts";
import { newDeliveryId } from "../domain/ids.ts";
import { DeliveryError } from "../notify/delivery-error.ts";
import { letterOf } from "../notify/letter.ts";
import { MailCap } from "../notify/mail-cap.ts";
import type { Notice } from "../notify/notice.ts";
import { Notifier } from "../notify/notifier.ts";
import { Mailer } from "../notify/send-mail.ts";
import { sendWebhook } from "../notify/send-webhook.ts";
import { secretFault } from "../notify/signature.ts";
import type { Store } from "../store/interface/store.ts";
import type { World } from "./world.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type NotifyConfig = Pick<Config, "webhooks" | "smtp" | "mailFrom" | "operatorUrl">;

/** How teams are told, and who is told of what. */
export interface OpenNotifier extends TellParts {
  nudge: () => void;
  stop: () => Promise<void>;
}

/** Starts to deliver what stands in the outbox, and warns of secrets that `env` does not hold, or holds wrongly. */
export function openNotifier(
  store: Store,
  config: NotifyConfig,
  env: Environment,
  { now, randomBytes, log, metrics }: World,
): OpenNotifier {
  const { webhooks, operatorUrl } = config;
  warnOfMissing(config, env, log);
  const notifier = new Notifier({
    outbox: store.outbox,
    compose: (delivery) => composeNotice({ store, webhooks, operatorUrl }, delivery),
    send: senderOf(config, env, now),
    onTried: ({ channel }, state) => metrics.deliveries.inc({ channel, state }),
    now,
    random: Math.random,
    log,
  });
  return {
    webhooks,
    sendsMail: mailerOf(config) !== undefined,
    newDeliveryId: () => newDeliveryId(now(), randomBytes),
    nudge: () => notifier.nudge(),
    stop: notifier.start(),
  };
}

function warnOfMissing(
  { webhooks, smtp, mailFrom }: NotifyConfig,
  env: Environment,
  log: World["log"],
): void {
  for (const [webhook, { secretEnv }] of Object.entries(webhooks)) {
    const fault = secretFault(env[secretEnv]);
    if (fault !== undefined) log.warn({ webhook, variable: secretEnv }, `the secret of a webhook ${fault}`);
  }
  if (smtp && mailFrom === undefined) log.warn("no e-mail is sent: --smtp needs --mail-from");
}

/** Warns of bots that a webhook is to be told of and that there are not: nothing else would show it. */
export async function warnOfUnknownBots(
  store: Pick<Store, "bots">,
  webhooks: Webhooks,
  log: World["log"],
): Promise<void> {
  if (Object.values(webhooks).every(({ bots }) => bots === undefined)) return;
  const ids = new Set<string>((await store.bots.listOthers([])).map(({ id }) => id));
  for (const [webhook, { bots = [] }] of Object.entries(webhooks)) {
    for (const bot of bots.filter((id) => !ids.has(id))) {
      const closest = closestName(bot, ids);
      const meant = closest === undefined ? {} : { didYouMean: closest };
      log.warn({ webhook, bot, ...meant }, "a webhook names a bot that there is not");
    }
  }
}

function mailerOf({ smtp, mailFrom }: NotifyConfig): Mailer | undefined {
  return smtp && mailFrom !== undefined ? new Mailer(smtp, mailFrom) : undefined;
}

/** Configurations change between the message and the delivery: what is not there any more is tried again, as it may come back. */
function senderOf(config: NotifyConfig, env: Environment, now: World["now"]) {
  const mailer = mailerOf(config);
  const cap = new MailCap(now);
  return async ({ channel, target, id }: DueDelivery, notice: Notice): Promise<void> => {
    if (channel === "mail") {
      if (!mailer) throw new DeliveryError("there is no mail server: --smtp and --mail-from name it");
      if (notice.type !== "handoff.requested")
        throw new DeliveryError("no letter tells of that", { isFinal: true });
      cap.take(target);
      return mailer.send(target, id, letterOf(notice));
    }
    const settings = config.webhooks[target];
    if (!settings) throw new DeliveryError("the configuration has no webhook of this name");
    const secret = env[settings.secretEnv];
    if (!secret) throw new DeliveryError(`the environment variable ${settings.secretEnv} is not set`);
    await sendWebhook({ settings, secret, id, notice, now: new Date(now()) });
  };
}
