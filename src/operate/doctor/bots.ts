import { join } from "node:path";

import { embedTokenState } from "../../access/secrets.ts";
import { isCurrentModel } from "../../bots/training.ts";
import { publicAddresses } from "../../config/addresses.ts";
import type { Config } from "../../config/config.ts";
import type { Endpoints } from "../../config/endpoints.ts";
import type { BotDocument } from "../../domain/bot.ts";
import { isTimeZone } from "../../domain/opening-hours.ts";
import { asksModels, modelServersOf } from "../../domain/responder.ts";
import type { EpochMs } from "../../domain/time.ts";
import { checkCapabilityProfile } from "../../governance/profile/capability-profile.ts";
import { type BundleSources, hasForeignBundle } from "../../seed/document-rules.ts";
import type { BotHead, BotKey, DeletedBot, StoredBot } from "../../store/interface/bots.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";
import { lookAtPath } from "../../store/sqlite/usable-folder.ts";
import { UnusableDatabaseError } from "../../store/unusable-database.ts";
import { type Finding, listNames, type Severity, findingsOf } from "./finding.ts";
import { judgeHandoffs, type NoticeConfig } from "./handoffs.ts";
import { judgeWebhookBots } from "./webhooks.ts";

const BOTS = findingsOf("bots");

/** Facts about an enabled bot besides its record. */
export interface BotCircumstances {
  bot: Pick<StoredBot, "id" | "document" | "intentModelId">;
  messagesThisMonth: number;
  /** An active embed token allows it. */
  hasToken: boolean;
  /** Names of the configured model servers. */
  servers: readonly string[];
  endpoints: Endpoints;
  /** It is a sample whose endpoints only `parley quickstart` starts, in a folder that quickstart has filled. */
  isSample?: boolean;
  bundles: BundleSources;
}

/** A reason why bots do not answer as expected. */
interface BotRule {
  severity: Exclude<Severity, "fine">;
  holds: (of: BotCircumstances) => boolean;
  /** Follows the names of the bots and a colon. */
  says: string;
  cure: string;
}

const RULES: readonly BotRule[] = [
  {
    severity: "mend",
    holds: ({ bot }) => bot.document.allowedDomains.length === 0,
    says: "`allowedDomains` is empty, so that every message gets 403",
    cure: "list the sites under `allowedDomains`, and seed again",
  },
  {
    severity: "mend",
    holds: ({ bot }) => !canMatch(bot.document),
    says: "neither an intent with `examples` nor a `defaultIntent`, so that nothing is understood",
    cure: "add intents with examples, and seed again",
  },
  {
    severity: "mend",
    holds: ({ hasToken }) => !hasToken,
    says: "no valid embed token, so that every message gets 401",
    cure: "parley token create --bot BOT",
  },
  {
    severity: "mend",
    holds: ({ bot, messagesThisMonth }) => messagesThisMonth >= (bot.document.monthlyMessageCap ?? Infinity),
    says: "`monthlyMessageCap` is used up, so that visitors get 429 until the month ends (UTC)",
    cure: "raise `monthlyMessageCap`, and seed again",
  },
  {
    severity: "mend",
    holds: ({ bot, servers }) => lacksServers(bot.document, servers),
    says: "model servers are asked that these settings do not name",
    cure: "name them under `models` in the file of --config, and give this command the settings of `parley serve`",
  },
  {
    severity: "mend",
    holds: ({ bot, endpoints, isSample }) => !isSample && lacksEndpoints(bot.document, endpoints),
    says: "actions call endpoints that these settings do not name, or that are not for the bot, so that they say their `failure`",
    cure: "name them under `endpoints` in the file of --config, with the bot in `bots`, and give this command the settings of `parley serve`",
  },
  {
    severity: "mend",
    holds: ({ bot }) => hasUnknownTimeZone(bot.document),
    says: "`handoff.hours.timezone` is not a time zone, so that visitors are not told the hours",
    cure: "write one such as `Europe/Berlin`, and seed again",
  },
  {
    severity: "mend",
    holds: ({ bot, bundles }) => hasForeignBundle(bot.document, bundles),
    says: "`template.bundleUrl` runs a script from elsewhere on every page with the widget",
    cure: "name its origin with --template-origins where you trust it, and give this command the settings of `parley serve`; or take it out, and seed again",
  },
  {
    severity: "mend",
    holds: ({ bot }) => checkCapabilityProfile(bot.document).some(({ isFault }) => isFault),
    says: "`allow` or `deny` name intents that are not there, so that others are allowed or denied than was meant",
    cure: "correct the names, and seed again",
  },
  {
    severity: "hint",
    holds: ({ bot, endpoints, isSample }) => isSample === true && lacksEndpoints(bot.document, endpoints),
    says: "actions call endpoints that `parley quickstart` starts itself; under `parley serve` they say their `failure`",
    cure: "nothing to do while quickstart runs; for `parley serve`, name them under `endpoints` in the file of --config",
  },
  {
    severity: "hint",
    holds: ({ bot }) => bot.intentModelId === undefined || !isCurrentModel(bot.intentModelId),
    says: "not trained for this version of Parley; the next start does that before it answers",
    cure: "nothing to do, or seed again now",
  },
];

type Awaitable<Value> = Value | Promise<Value>;

/** The parts of a store that are read; also available for a database file opened read-only. */
export interface ExaminedStore {
  bots: {
    listOthers(documents: readonly BotDocument[]): Awaitable<Pick<StoredBot, "id">[]>;
    find(id: string): Awaitable<StoredBot | undefined>;
    listDeleted(): Awaitable<DeletedBot[]>;
    listEnabled(): Awaitable<BotHead[]>;
  };
  embedTokens: { list(): Awaitable<StoredEmbedToken[]> };
  usage: { read(bot: BotKey, at: EpochMs): Awaitable<number> };
}

/** The settings that bots depend on. */
export type BotsConfig = Pick<
  Config,
  "data" | "models" | "endpoints" | "templateOrigins" | "host" | "port" | "publicUrl" | "cdnUrl"
> &
  NoticeConfig;

/**
 * Finds bots that cannot answer, or whose hand-offs reach nobody.
 *
 * @param examineTests runs the tests of enabled bots; absent if that would take too long.
 */
export async function examineBots(
  { bots: stored, embedTokens, usage }: ExaminedStore,
  config: BotsConfig,
  now: EpochMs,
  examineTests: (bots: readonly StoredBot[]) => Promise<Finding[]> = async () => [],
): Promise<Finding[]> {
  const servers = Object.keys(config.models);
  const bundles = { ...publicAddresses(config, config.port), templateOrigins: config.templateOrigins };
  const { ids, bots, unreadable } = await readBots(stored);
  const granted = grantedBots(await embedTokens.list(), now);
  // The folder of the sample documents.
  const isQuickstart = lookAtPath(join(config.data, "samples")) !== undefined;
  const circumstances: BotCircumstances[] = [];
  for (const bot of bots.filter(({ enabled }) => enabled)) {
    const messagesThisMonth = await usage.read(bot.key, now);
    circumstances.push({
      bot,
      messagesThisMonth,
      hasToken: granted.has(bot.id),
      servers,
      endpoints: config.endpoints,
      isSample: isQuickstart && bot.id === "acme-orders",
      bundles,
    });
  }
  const disabled = bots.filter((bot) => !bot.enabled).map(({ id }) => id);
  const findings = [
    ...unreadable,
    ...judgeBots(circumstances),
    ...(await examineTests(bots.filter(({ enabled }) => enabled))),
    ...judgeHandoffs(
      circumstances.map(({ bot }) => bot.document),
      config,
    ),
    ...describeDisabled(disabled),
  ];
  const told = [...describeDeleted(await stored.listDeleted()), ...judgeWebhookBots(config.webhooks, ids)];
  if (ids.length === 0) return [noBots(), ...told];
  return [...(findings.length > 0 ? findings : [BOTS.fine(`${bots.length} can answer`)]), ...told];
}

/** One finding for each rule that applies to a bot. Pure. */
export function judgeBots(circumstances: readonly BotCircumstances[]): Finding[] {
  return RULES.flatMap(({ severity, holds, says, cure }) => {
    const names = circumstances.filter(holds).map(({ bot }) => bot.id);
    return names.length === 0 ? [] : [BOTS[severity](`${listNames(names)}: ${says}`, cure)];
  });
}

/** Read one by one, so that an unreadable record does not hide the others. */
async function readBots(
  bots: ExaminedStore["bots"],
): Promise<{ ids: string[]; bots: StoredBot[]; unreadable: Finding[] }> {
  const readable: StoredBot[] = [];
  const unreadable: Finding[] = [];
  const ids = (await bots.listOthers([])).map(({ id }) => id);
  for (const id of ids) {
    try {
      const bot = await bots.find(id);
      if (bot) readable.push(bot);
    } catch (error) {
      if (!(error instanceof UnusableDatabaseError)) throw error;
      unreadable.push(unreadableBot(error.message));
    }
  }
  for (const { id, hasUnreadableLimits } of await bots.listEnabled())
    if (hasUnreadableLimits) unreadable.push(unreadableBot(`the limits of bot \`${id}\` cannot be read`));
  return { ids, bots: readable, unreadable };
}

function unreadableBot(message: string): Finding {
  return BOTS.broken(message, "seed the bot again from its file");
}

function grantedBots(tokens: readonly StoredEmbedToken[], now: EpochMs): ReadonlySet<string> {
  return new Set(
    tokens.filter((token) => embedTokenState(token, now) === "active").flatMap(({ botIds }) => botIds),
  );
}

function canMatch({ intents = [], defaultIntent }: BotDocument): boolean {
  return defaultIntent !== undefined || intents.some(({ examples = [] }) => examples.length > 0);
}

/** A bot that names no server uses those of the configuration, in their order. */
function lacksServers(document: BotDocument, servers: readonly string[]): boolean {
  if (!asksModels(document)) return false;
  return servers.length === 0 || [...modelServersOf(document)].some((name) => !servers.includes(name));
}

function lacksEndpoints({ id, intents = [] }: BotDocument, endpoints: Endpoints): boolean {
  return intents.some(
    ({ action }) =>
      action !== undefined &&
      !(Object.hasOwn(endpoints, action.endpoint) && endpoints[action.endpoint]!.bots.includes(id)),
  );
}

/** Possible for a bot stored by a version that did not check time zones. */
function hasUnknownTimeZone({ handoff }: BotDocument): boolean {
  return handoff?.hours !== undefined && !isTimeZone(handoff.hours.timezone);
}

function describeDisabled(ids: readonly string[]): Finding[] {
  if (ids.length === 0) return [];
  const message = `${listNames(ids)}: disabled, and not found by visitors`;
  return [BOTS.hint(message, "parley bot enable BOT")];
}

function describeDeleted(deleted: readonly DeletedBot[]): Finding[] {
  return deleted.map(({ id, conversations }): Finding => {
    const message = `\`${id}\`: deleted, and ${conversations} of its conversations are still to be erased`;
    const cure = `a running server does it; where none runs, \`parley bot delete ${id}\``;
    return BOTS.hint(message, cure);
  });
}

function noBots(): Finding {
  return BOTS.mend("there are no bots", "add some with `parley seed`");
}
