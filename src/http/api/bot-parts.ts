import { Type } from "@sinclair/typebox";

import { ServiceError } from "../../domain/errors.ts";
import type { BotMistake, BotVersionSummary } from "../../domain/operator/bots.ts";
import type { Improvement } from "../../operate/console/improvement.ts";
import type { PublishResult } from "../../operate/publish/publish-bot.ts";
import type { Workshop } from "../../operate/workshop.ts";
import type { BotVersion, StoredBot } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { conflict } from "./etag.ts";

/** The parts that routes of bots use. */
export interface BotRoutesParts {
  store: Store;
  workshop: Workshop;
  improvement: Pick<Improvement, "forget">;
  now: () => number;
}

export const BotParams = Type.Object({ bot: Type.String({ maxLength: 200 }) });

/** Bytes of a body with a bot: 8 MiB of YAML, written as JSON. */
export const MOST_YAML_BODY = 12 * 1024 * 1024;
export const Yaml = Type.String({ minLength: 1, description: "A bot as it stands in a bot file" });

/** @throws ServiceError NOT_FOUND */
export async function findBot({ store }: Pick<BotRoutesParts, "store">, id: string): Promise<StoredBot> {
  const bot = await store.bots.find(id);
  if (bot) return bot;
  throw noSuchBot();
}

export function noSuchBot(): ServiceError {
  return new ServiceError("NOT_FOUND", "There is no bot of this id.");
}

/** What is told of a bot that was not published, and of a draft that cannot be tried. */
export function faultyBot(mistakes: readonly BotMistake[]): ServiceError {
  const errors = mistakes.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const count = errors.length === 1 ? "a mistake" : `${errors.length} mistakes`;
  return new ServiceError("INVALID_REQUEST", `The bot has ${count}: ${first ? placed(first) : ""}.`, {
    status: 422,
    errors: errors.map((mistake) => ({ pointer: "/yaml", detail: placed(mistake) })),
  });
}

function placed({ line, column, message }: BotMistake): string {
  return line === undefined ? message : `line ${line}, column ${column}: ${message}`;
}

/** @throws ServiceError where nothing was published. */
export async function assertPublished(
  { store }: Pick<BotRoutesParts, "store">,
  result: PublishResult,
): Promise<string> {
  if (result.kind === "faulty") throw faultyBot(result.mistakes);
  if (result.kind === "missing") throw noSuchBot();
  if (result.kind === "stale") throw conflict((await store.bots.find(result.id))?.version);
  if (result.kind === "taken") {
    const message = `There is a bot ${result.id} already; publish its next version, or choose another id.`;
    throw new ServiceError("CONFLICT", message, { status: 409 });
  }
  return result.id;
}

/** A version as it is listed. */
export function versionSummary({ publishedBy, ...version }: BotVersion): BotVersionSummary {
  return { ...version, publishedBy: publishedBy ?? "unknown" };
}
