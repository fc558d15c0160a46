import type { Endpoints } from "../config/endpoints.ts";
import type { BotDocument, BotProblem, BotRule } from "../domain/bot.ts";
import { didYouMean } from "../domain/closest-name.ts";
import { namedServersOf } from "../domain/responder.ts";

/** Names from a configuration that a bot may use. */
export interface ConfiguredNames {
  webhooks: readonly string[];
  models: readonly string[];
  endpoints: Endpoints;
}

/** The names of each section of a configuration. */
export function configuredNames({
  webhooks,
  models,
  endpoints,
}: Record<"webhooks" | "models", Readonly<Record<string, unknown>>> & {
  endpoints: Endpoints;
}): ConfiguredNames {
  return { webhooks: Object.keys(webhooks), models: Object.keys(models), endpoints };
}

/**
 * Names that the configuration lacks have no effect: such a webhook receives nothing, a model server is never asked, and an endpoint never
 * called. An action without a proof may only use public endpoints.
 */
export function warnOfUnknownNames({ webhooks, models, endpoints }: Partial<ConfiguredNames>): BotRule {
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
    return [...ofWebhook, ...ofServers, ...(endpoints === undefined ? [] : ofEndpoints(bot, endpoints))];
  };
}

function unknown(pointer: string, what: string, name: string, names: readonly string[]): BotProblem {
  const message = `the configuration has no ${what}${didYouMean(name, names)}`;
  return { pointer, message, severity: "warning" };
}

function ofEndpoints({ id, intents = [] }: BotDocument, endpoints: Endpoints): BotProblem[] {
  return intents.flatMap(({ action }, at) => {
    if (action === undefined) return [];
    const pointer = `/intents/${at}/action`;
    const { endpoint, proof = [] } = action;
    const settings = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
    const isProven = proof.length > 0 || settings?.public === true;
    const unproven: BotProblem[] = isProven ? [] : [{ pointer, message: NEEDS_PROOF, severity: "error" }];
    if (settings === undefined) {
      const what = `endpoint \`${endpoint}\`, so that the action says its \`failure\``;
      return [...unproven, unknown(`${pointer}/endpoint`, what, endpoint, Object.keys(endpoints))];
    }
    const { bots, public: isPublic } = settings;
    const message = `the configuration lets other bots call the endpoint \`${endpoint}\`; name \`${id}\` in its \`bots\``;
    const foreign: BotProblem[] = bots.includes(id)
      ? []
      : [{ pointer: `${pointer}/endpoint`, message, severity: "warning" }];
    const open: BotProblem[] =
      isPublic && proof.length === 0
        ? [
            {
              pointer,
              message: `anybody can call \`${endpoint}\` without proof, because it is public`,
              severity: "warning",
            },
          ]
        : [];
    return [...unproven, ...foreign, ...open];
  });
}

const NEEDS_PROOF =
  "the action needs `proof`, two slots that the endpoint compares, because one value alone can be guessed. Only `public: true` at its endpoint in the server's configuration waives it";
