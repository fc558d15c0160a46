import type { BotProblem, BotRule } from "../domain/bot.ts";
import { didYouMean } from "../domain/closest-name.ts";
import { namedServersOf } from "../domain/responder.ts";

/** Names of what a configuration has, and a bot may name. */
export interface ConfiguredNames {
  webhooks: readonly string[];
  models: readonly string[];
}

/** The names of each section of a configuration. */
export function configuredNames({
  webhooks,
  models,
}: Record<keyof ConfiguredNames, Readonly<Record<string, unknown>>>): ConfiguredNames {
  return { webhooks: Object.keys(webhooks), models: Object.keys(models) };
}

/** A webhook that the configuration does not have is told of nothing, and a model server of that kind is never asked. */
export function warnOfUnknownNames({ webhooks, models }: Partial<ConfiguredNames>): BotRule {
  return (bot) => {
    const webhook = bot.handoff?.webhook;
    const ofWebhook =
      webhooks === undefined || webhook === undefined || webhooks.includes(webhook)
        ? []
        : [
            unknown(
              "/handoff/webhook",
              `webhook \`${webhook}\`, so that nobody is told of hand-offs by it`,
              webhook,
              webhooks,
            ),
          ];
    const ofServers =
      models === undefined
        ? []
        : namedServersOf(bot)
            .filter(({ name }) => !models.includes(name))
            .map(({ pointer, name }) =>
              unknown(pointer, `model server \`${name}\`, which is never asked`, name, models),
            );
    return [...ofWebhook, ...ofServers];
  };
}

function unknown(pointer: string, what: string, name: string, names: readonly string[]): BotProblem {
  const message = `the configuration has no ${what}${didYouMean(name, names)}`;
  return { pointer, message, severity: "warning" };
}
