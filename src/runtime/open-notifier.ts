import { composeNotice } from "../chat/notices/compose-notice.ts";
import type { RecipientParts } from "../chat/notices/recipients.ts";
import type { Config } from "../config/config.ts";
import type { Webhooks } from "../config/webhooks.ts";
import { closestName } from "../domain/closest-name.ts";
import type { DueDelivery } from "../domain/delivery.ts";
import { newDeliveryId } from "../domain/ids.ts";
import type { Environment } from "../domain/os-user.ts";
import { sha256 } from "../domain/sha256.ts";
import { DeliveryError } from "../notify/delivery-error.ts";
import { letterOf } from "../notify/letter.ts";
import type { HandoffNotice } from "../notify/notice.ts";
import { LETTERS_COUNT_MS, nextLetterAt, Notifier, type DueNotice } from "../notify/notifier.ts";
import { Mailer } from "../notify/send-mail.ts";
import { sendWebhook } from "../notify/send-webhook.ts";
import { secretFault } from "../notify/signature.ts";
import type { Store } from "../store/interface/store.ts";
import type { World } from "./world.ts";

type NotifyConfig = Pick<Config, "webhooks" | "smtp" | "mailFrom" | "operatorUrl">;

/** How notices are sent, and to whom. */
export interface OpenNotifier extends RecipientParts {
  nudge: () => void;
  stop: () => Promise<void>;
}

/** Starts to deliver the outbox, and warns of secrets that are missing in `env`, or invalid. */
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
    assertRoom: roomOf(store, now),
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

/** Warns of webhooks for bots that do not exist, because nothing else would show it. */
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

/** Counts the e-mails to an address in the outbox, so that the limit survives restarts and is shared by servers on the same store. */
function roomOf({ outbox }: Pick<Store, "outbox">, now: World["now"]) {
  return async ({ channel, target }: DueDelivery): Promise<void> => {
    if (channel !== "mail") return;
    const at = now();
    const notBefore = nextLetterAt(await outbox.listLetters(target, at - LETTERS_COUNT_MS), at);
    if (notBefore === at) return;
    const message = "the address has had many e-mails; what waits is told in one, in some minutes";
    throw new DeliveryError(message, { notBefore });
  };
}

/** Configurations change between the message and the delivery: a missing receiver is tried again, because it may be configured again. */
function senderOf(config: NotifyConfig, env: Environment, now: World["now"]) {
  const mailer = mailerOf(config);
  return async (due: readonly [DueNotice, ...DueNotice[]]): Promise<void> => {
    const [{ delivery, notice }] = due;
    const { channel, target, id } = delivery;
    if (channel === "mail") {
      if (!mailer) throw new DeliveryError("there is no mail server: --smtp and --mail-from name it");
      return mailer.send(target, letterIdOf(due), letterOf(handoffsOf(due)));
    }
    const settings = config.webhooks[target];
    if (!settings) throw new DeliveryError("the configuration has no webhook of this name");
    const secret = env[settings.secretEnv];
    if (!secret) throw new DeliveryError(`the environment variable ${settings.secretEnv} is not set`);
    await sendWebhook({ settings, secret, id, notice, now: new Date(now()) });
  };
}

function handoffsOf(due: readonly [DueNotice, ...DueNotice[]]): readonly [HandoffNotice, ...HandoffNotice[]] {
  const [first, ...others] = due.map(({ notice }) => {
    if (notice.type === "handoff.requested") return notice;
    throw new DeliveryError("there is no e-mail for this event", { isFinal: true });
  });
  return [first!, ...others];
}

/** The same id for the same notices. */
function letterIdOf(due: readonly [DueNotice, ...DueNotice[]]): string {
  const ids = due.map(({ delivery }) => delivery.id);
  return ids.length === 1 ? ids[0]! : `${ids[0]}.${sha256(ids.join(" ")).toString("hex").slice(0, 16)}`;
}
