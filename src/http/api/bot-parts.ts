import { Type } from "@sinclair/typebox";

import { type FieldFault, ServiceError } from "../../domain/errors.ts";
import type { BotMistake, BotVersionSummary } from "../../domain/operator/bots.ts";
import type { Improvement } from "../../operate/console/improvement.ts";
import { type PublishResult, writtenOrExported } from "../../operate/publish/publish-bot.ts";
import type { Workshop } from "../../operate/workshop.ts";
import { MAX_PROBLEMS } from "../../seed/bot-file.ts";
import type { BotVersion, StoredBot } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { conflict } from "./etag.ts";
import type { Caller } from "./frame.ts";

/** The parts that routes of bots use. */
export interface BotRoutesParts {
  store: Store;
  workshop: Workshop;
  improvement: Pick<Improvement, "forget">;
  now: () => number;
}

export const BotParams = Type.Object({ bot: Type.String({ maxLength: 200 }) });

/** Largest body with a bot, in bytes: 8 MiB of YAML, escaped as JSON. */
export const MAX_YAML_BODY = 12 * 1024 * 1024;
export const AcceptFaults = Type.Optional(
  Type.Boolean({
    description:
      "true: publish at once, whatever `allow` and `deny` name that is not there, and without running `tests`; the audit tells it",
  }),
);
export const Yaml = Type.String({ minLength: 1, description: "A bot in the form of a bot file" });

/** @throws ServiceError NOT_FOUND */
export async function findBot({ store }: Pick<BotRoutesParts, "store">, id: string): Promise<StoredBot> {
  const bot = await store.bots.find(id);
  if (bot) return bot;
  throw noSuchBot();
}

export function noSuchBot(): ServiceError {
  return new ServiceError("NOT_FOUND", "There is no bot of this id.");
}

/**
 * The bot that a text belongs to. Parsing and training take memory and time from visitors, so operators who may not change bots can only
 * use the published version or the saved draft.
 *
 * @throws ServiceError NOT_FOUND; FORBIDDEN for any other text
 */
export async function findBotToTry(
  parts: Pick<BotRoutesParts, "store">,
  { params, body, caller }: { params: { bot: string }; body: { yaml?: string }; caller: Caller },
): Promise<StoredBot> {
  const bot = await findBot(parts, params.bot);
  const { yaml } = body;
  if (yaml === undefined || caller.permissions.has("bots.write")) return bot;
  const { bots, botDrafts } = parts.store;
  if ((await botDrafts.find(bot.key))?.yaml === yaml) return bot;
  const written = await bots.findWritten(bot.key, bot.version);
  if (writtenOrExported(written?.yaml, bot.document) === yaml) return bot;
  const message =
    "A text that is neither published nor saved as the draft requires the permission `bots.write`; an owner can grant it.";
  throw new ServiceError("FORBIDDEN", message);
}

/** The error for a bot that was not published, or a draft that cannot be tried. Faults count, too, where they cannot be accepted. */
export function faultyBot(mistakes: readonly BotMistake[]): ServiceError {
  const errors = mistakes.filter(({ severity, isFault = false }) => severity === "error" || isFault);
  const [first] = errors;
  return new ServiceError(
    "INVALID_REQUEST",
    `The bot has ${countUpTo(errors.length, "mistake")}: ${first ? placed(first) : ""}.`,
    { status: 422, errors: errors.map(faultOf) },
  );
}

/** The error for a bot whose faults have to be accepted first. */
function faultsToAccept(faults: readonly BotMistake[]): ServiceError {
  const message =
    `The bot has ${countUpTo(faults.length, "fault")}: ${placed(faults[0]!)}. ` +
    "`acceptFaults: true` publishes it all the same.";
  return new ServiceError("UNACCEPTED_FAULTS", message, {
    errors: faults.slice(0, MAX_PROBLEMS).map(faultOf),
  });
}

function countUpTo(count: number, what: string): string {
  if (count > MAX_PROBLEMS) return `more than ${MAX_PROBLEMS} ${what}s`;
  return count === 1 ? `a ${what}` : `${count} ${what}s`;
}

function faultOf(mistake: BotMistake): FieldFault {
  return { pointer: "/yaml", detail: placed(mistake) };
}

function placed({ line, column, message }: BotMistake): string {
  return line === undefined ? message : `line ${line}, column ${column}: ${message}`;
}

/** @throws ServiceError if nothing was published. */
export async function assertPublished(
  { store }: Pick<BotRoutesParts, "store">,
  result: PublishResult,
): Promise<string> {
  if (!("id" in result)) {
    throw result.kind === "faulty" ? faultyBot(result.mistakes) : faultsToAccept(result.mistakes);
  }
  if (result.kind === "missing") throw noSuchBot();
  if (result.kind === "stale") throw conflict((await store.bots.find(result.id))?.version);
  if (result.kind === "taken") {
    const message = `There is a bot ${result.id} already; publish its next version, or choose another id.`;
    throw new ServiceError("CONFLICT", message, { status: 409 });
  }
  return result.id;
}

/** A version in the form of a list entry. */
export function versionSummary({ publishedBy, ...version }: BotVersion): BotVersionSummary {
  return { ...version, publishedBy: publishedBy ?? "unknown" };
}
