import type { Webhooks } from "../../config/webhooks.ts";
import { didYouMean } from "../../domain/closest-name.ts";
import { MAX_EVENTS_PER_WEBHOOK } from "../../domain/delivery.ts";
import type { Environment } from "../../domain/os-user.ts";
import { secretFault } from "../../notify/signature.ts";
import { type Finding, listNames, findingsOf } from "./finding.ts";

const WEBHOOKS = findingsOf("webhooks");

/** Whether so many events wait for a webhook that further ones are dropped. @param waiting by webhook. Pure. */
export function judgeWebhooks(waiting: ReadonlyMap<string, number>): Finding[] {
  const full = [...waiting]
    .filter(([, count]) => count >= MAX_EVENTS_PER_WEBHOOK)
    .map(([webhook]) => webhook);
  if (full.length > 0) {
    const message = `${listNames(full)}: ${MAX_EVENTS_PER_WEBHOOK} events of turns wait, and later ones are dropped`;
    const cure =
      "see in `GET /api/v1/deliveries?state=waiting` why its receiver does not take them, or name fewer events under `webhooks`";
    return [WEBHOOKS.mend(message, cure)];
  }
  const all = [...waiting.values()].reduce((sum, count) => sum + count, 0);
  return all === 0 ? [] : [WEBHOOKS.fine(`${all} events of turns wait`)];
}

/** Webhooks without a secret for signing, or with one that receivers cannot use. Pure. */
export function judgeWebhookSecrets(webhooks: Webhooks, env: Environment): Finding[] {
  return Object.entries(webhooks).flatMap(([name, { secretEnv }]): Finding[] => {
    const fault = secretFault(env[secretEnv]);
    if (fault === undefined) return [];
    const message = `\`${name}\`: the environment variable ${secretEnv} ${fault}`;
    const cure = `make one with \`echo "${secretEnv}=whsec_$(openssl rand -base64 32)"\`, give it to the receiver, and run this command in the environment of the server`;
    return [WEBHOOKS.mend(message, cure)];
  });
}

/** Webhooks for bots that do not exist. @param ids of all bots. Pure. */
export function judgeWebhookBots(webhooks: Webhooks, ids: readonly string[]): Finding[] {
  return unknownBots(webhooks, ids).map(({ webhook, bot, hint }) =>
    WEBHOOKS.mend(
      `\`${webhook}\`: \`bots\` names \`${bot}\`, and there is no such bot${hint}`,
      "correct `bots` under `webhooks` in the file of --config, or seed the bot",
    ),
  );
}

function unknownBots(webhooks: Webhooks, ids: readonly string[]) {
  const known = new Set(ids);
  return Object.entries(webhooks).flatMap(([webhook, { bots = [] }]) =>
    bots.filter((bot) => !known.has(bot)).map((bot) => ({ webhook, bot, hint: didYouMean(bot, known) })),
  );
}
