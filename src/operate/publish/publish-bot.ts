import { trainBots } from "../../bots/training.ts";
import type { BotDocument } from "../../domain/bot.ts";
import type { BotMistake } from "../../domain/operator/bots.ts";
import { exportBot } from "../../seed/export-bot.ts";
import { currentText } from "../../seed/written-text.ts";
import type { Bots, Publication, PublicationOutcome, StoredBot } from "../../store/interface/bots.ts";
import type { Knowledge } from "../../store/interface/knowledge.ts";
import type { ModelStore } from "../../store/interface/store.ts";
import type { CheckThread } from "../check/check-thread.ts";
import { isSound, yamlOf } from "../check/check-yaml.ts";
import { followSources } from "./follow-sources.ts";

/** The parts that publishing uses. */
export interface PublishParts {
  store: Pick<ModelStore, "hasIntentModel"> & {
    bots: Pick<Bots, "find" | "findWritten" | "publish">;
    knowledge: Pick<Knowledge, "changeSources" | "listDocuments" | "noteChange">;
  };
  checks: Pick<CheckThread, "check">;
}

/** What came of it. `faulty`: nothing was published, for these mistakes. */
export type PublishResult =
  | { kind: PublicationOutcome; id: string }
  | { kind: "faulty"; mistakes: readonly BotMistake[] };

/**
 * Publishes a bot's next version as it is written: checked and trained as `seed` does it, live within a second. What is published already
 * stays as it is.
 *
 * @param replaces the version that the operator has seen.
 */
export async function publishBot(
  parts: PublishParts,
  bot: StoredBot,
  { yaml, note, replaces }: { yaml: string; note?: string; replaces: number },
): Promise<PublishResult> {
  const checked = await parts.checks.check(yamlOf(bot, yaml));
  if (!isSound(checked)) return { kind: "faulty", mistakes: checked.mistakes };
  const document = await withEnabled(parts, bot, checked.document);
  return publish(parts, { document, yaml, replaces, ...(note !== undefined && { note }) });
}

/** Makes a bot that was not there. */
export async function createBot(parts: PublishParts, yaml: string): Promise<PublishResult> {
  const checked = await parts.checks.check({ yaml });
  if (!isSound(checked)) return { kind: "faulty", mistakes: checked.mistakes };
  return publish(parts, { document: checked.document, yaml, replaces: 0 });
}

/** Publishes what an earlier version was. @returns undefined where there is none. */
export async function restoreVersion(
  parts: PublishParts,
  bot: StoredBot,
  { version, replaces }: { version: number; replaces: number },
): Promise<PublishResult | undefined> {
  const written = await parts.store.bots.findWritten(bot.key, version);
  if (!written) return undefined;
  const { document } = written;
  const yaml = writtenOrExported(written.yaml, document);
  const checked = await parts.checks.check(yamlOf({ id: bot.id, document }, yaml));
  if (!isSound(checked)) return { kind: "faulty", mistakes: checked.mistakes };
  return publish(parts, { document, yaml, replaces, restoredFrom: version });
}

/** A version's text; of one whose text is not known, or says something else, it is written from its document. */
export function writtenOrExported(yaml: string | undefined, document: BotDocument): string {
  const isSame = (enabled: boolean) => yaml !== undefined && currentText(yaml, { document, enabled });
  return yaml !== undefined && (isSame(true) || isSame(false)) ? yaml : exportBot(document);
}

async function publish(parts: PublishParts, publication: Publication): Promise<PublishResult> {
  const { store } = parts;
  const { document } = publication;
  const models = await trainBots(store, [document]);
  const kind = await store.bots.publish(publication, models);
  if (kind === "published") await followSources(store, document);
  return { kind, id: document.id };
}

/**
 * `enabled` counts where this edit has changed it. A bot that its file disables and somebody enabled since would else be disabled again by
 * whoever corrects a word.
 */
async function withEnabled(
  { store, checks }: PublishParts,
  bot: StoredBot,
  { enabled, ...document }: BotDocument,
): Promise<BotDocument> {
  if (enabled === undefined) return document;
  const written = await store.bots.findWritten(bot.key, bot.version);
  const before = written?.yaml === undefined ? undefined : await checks.check({ yaml: written.yaml });
  return before?.document?.enabled === enabled ? document : { ...document, enabled };
}
