import type { Command } from "@commander-js/extra-typings";

import { embedTokenState } from "../../access/secrets.ts";
import {
  type BotKnowledge,
  knowledgeOf as storedKnowledgeOf,
  NO_KNOWLEDGE,
} from "../../bots/bot-knowledge.ts";
import { intentModelIdOf } from "../../bots/training.ts";
import { type PublicAddresses, publicAddresses } from "../../config/addresses.ts";
import type { Config } from "../../config/config.ts";
import { SETTINGS } from "../../config/settings.ts";
import type { BotDocument } from "../../domain/bot.ts";
import type { EmbedToken } from "../../domain/ids.ts";
import { issueEmbedToken } from "../../operate/issue-embed-token.ts";
import type { RefreshedKnowledge } from "../../operate/refresh-knowledge.ts";
import type { BotReview } from "../../operate/review-bot.ts";
import type { ParsedBot } from "../../seed/bot-file.ts";
import { type ConfiguredNames, configuredNames } from "../../seed/configured-names.ts";
import { FOREIGN_BUNDLE, hasForeignBundle } from "../../seed/document-rules.ts";
import { formatProblem, type SeedProblem } from "../../seed/problem.ts";
import type { SeedModels, SeedOptions, SeedOutcome } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { ConsoleChangesError } from "../../store/refuse-console-changes.ts";
import { widgetSnippet } from "../../widget/snippet.ts";
import { openStore, openStoreForTrial } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatJson } from "../format.ts";
import { asError, countMistakes, describeProblem, folderOf, readBotFiles } from "../read-bot-files.ts";
import {
  botsToRead,
  describeRefreshed,
  fetchSettings,
  type KnowledgeByBot,
  readBots,
  refuseFaults,
  storeRead,
} from "../refresh-bots.ts";
import { eraseDeletedBots } from "../remains.ts";
import { reviewBots } from "../review-bots.ts";
import { failingTests, type PreparedBots, trainDocuments, unreadablePaths } from "../seed-documents.ts";
import {
  consoleChangesError,
  findPruned,
  mayPrune,
  type PrunedBot,
  sayContradictions,
  sayPruned,
  sayUndone,
} from "../seed-warnings.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley seed` */
export function addSeed(program: Command, terminal: Terminal): void {
  const command = program
    .command("seed")
    .description("create or update bots from YAML or JSON files; either all of them or none")
    .argument("<path...>", "files, folders, or - for stdin")
    .option("--dry-run", "show what would change, without changing it")
    .option("--prune", "delete every bot that is not in the files, with its conversations; asks first")
    .option("--yes", "do not ask")
    .option(
      "--force",
      "also overwrite changes published in the console; without it, such changes are listed and nothing is changed",
    )
    .option(
      "--accept-faults",
      "seed even if `allow`, `deny` or a `knowledge` path name something that does not exist, or `tests` fail; the faults are listed",
    )
    .option("--issue-tokens", "create an embed token for each new bot, and print its snippet")
    .option("--strict", "change nothing if a document cannot be read")
    .option(
      "--no-review",
      "do not cross-validate the examples of changed bots, nor compare their answers with their documents",
    )
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store", "publicUrl", "cdnUrl", "templateOrigins", "knowledgeHosts"]),
    "parley seed bots/",
    "parley seed acme.yaml --issue-tokens --public-url https://chat.example",
    "parley seed bots/ --prune --dry-run",
    "generate-bots | parley seed - --prune --yes",
  );
  command.action(async (paths, options) => {
    const { dryRun = false, issueTokens = false, strict = false, force = false, review, json } = options;
    const { acceptFaults = false } = options;
    const config = readConfig(terminal, options);
    const configured = configuredHere(config);
    const found = await readBotFiles(terminal, paths, { configured, refusesFaults: !acceptFaults });
    const { bots: parsed, problems, mistakes } = found;
    const refuse = (message: string, told: readonly SeedProblem[]) => {
      if (json) terminal.print(formatJson({ bots: [], problems: told }));
      throw new InputError(`${message}; nothing was changed`);
    };
    if (mistakes > 0) refuse(countMistakes(mistakes + (acceptFaults ? 0 : found.faults)), problems);
    if (found.faults > 0 && !acceptFaults) refuse(countFaults(found.faults), problems);
    const documents = parsed.map(({ document }) => document);
    await using store = await (dryRun ? openStoreForTrial : openStore)(terminal, config);
    const foreign = await foreignBundles(store, config, parsed);
    for (const problem of foreign) terminal.say(formatProblem(problem));
    if (foreign.length > 0) refuse(countMistakes(foreign.length), [...problems, ...foreign]);
    const told = [...problems];
    const refuseUnlessAccepted = (byBot: FaultsByBot) => {
      const faults = [...byBot.values()].flat().map((fault) => (acceptFaults ? fault : asError(fault)));
      for (const problem of faults) terminal.say(describeProblem(problem, terminal.colours.err));
      told.push(...faults);
      if (faults.length > 0 && !acceptFaults) refuse(countFaults(faults.length), told);
    };
    // Checked before documents are read, because reading may take minutes.
    const unreadable = await unreadablePaths(store, parsed);
    refuseUnlessAccepted(unreadable);
    const pruned = options.prune ? await findPruned(store, documents) : [];
    if (pruned.length > 0) sayPruned(terminal, pruned);
    const isAsked = pruned.length > 0 && !dryRun && !options.yes;
    if (isAsked && !(await mayPrune(terminal, pruned))) return terminal.say("nothing was changed");
    const { read, models, failing } = await prepare(store, terminal, config, parsed, { dryRun, strict });
    refuseUnlessAccepted(failing);
    const toReview = review && !dryRun ? await changedExamples(store, documents) : [];
    const prune = pruned.map(({ id }) => id);
    const acceptedFaults = messagesOf(parsed, [unreadable, failing]);
    const seeding = { dryRun, prune, force, texts: textsOf(parsed), acceptedFaults, issueTokens, config };
    const bots = await seedBots(store, terminal, documents, models, seeding).catch((error: unknown) => {
      throw refusalOf(terminal, error);
    });
    const refreshed = dryRun ? new Map<string, RefreshedKnowledge>() : await storeRead(store, terminal, read);
    if (!json) for (const bot of bots) terminal.print(describeSeeded(bot, refreshed.get(bot.id)));
    if (dryRun) terminal.say("dry run: nothing was changed");
    else if (issueTokens) await sayWithoutToken(store, terminal, config, bots);
    // The bots are stored before the review begins, so an operator may interrupt it without losing anything.
    const reviews = await reviewBots(terminal, toReview, (id) => knowledgeNow(store, id));
    const changed = review && !dryRun ? idsOfChanged(bots, refreshed) : [];
    const contradictions = await sayContradictions(store, terminal, changed);
    if (json) {
      const described = bots.map((bot) => ({
        ...bot,
        ...lossOf(bot, pruned),
        ...knowledgeOf(bot, refreshed),
        ...reviewOf(bot, reviews),
        ...(contradictions.has(bot.id) && { contradictions: contradictions.get(bot.id) }),
      }));
      terminal.print(formatJson({ bots: described, problems: told }));
    }
    if (!dryRun && pruned.length > 0) await eraseDeletedBots(store, terminal, config);
    // A dry run ends with the exit code that the seed would have.
    if (dryRun && !force && bots.some(({ undoes }) => undoes !== undefined)) {
      throw new InputError("seeding needs --force, because it overwrites changes published in the console");
    }
  });
}

/** Without the server's configuration, its model servers and webhooks are unknown here; its public endpoints are always needed. */
function configuredHere(config: Config): Partial<ConfiguredNames> {
  const { webhooks, models, endpoints } = configuredNames(config);
  return { endpoints, ...(webhooks.length > 0 && { webhooks }), ...(models.length > 0 && { models }) };
}

/** Templates with scripts from an address that the settings do not allow. An address that is stored already may stay. */
async function foreignBundles(
  { bots }: Store,
  config: Config,
  parsed: readonly ParsedBot[],
): Promise<SeedProblem[]> {
  const sources = { ...config, ...publicAddresses(config, config.port) };
  const problems: SeedProblem[] = [];
  for (const { document, source, line } of parsed) {
    if (!hasForeignBundle(document, sources)) continue;
    const stored = await bots.find(document.id);
    if (stored?.document.template?.bundleUrl === document.template!.bundleUrl) continue;
    const message = `\`${document.id}\`: ${FOREIGN_BUNDLE}`;
    problems.push({ source, line, column: 1, message, severity: "error" });
  }
  return problems;
}

/** The original texts of the bot files, by id. */
function textsOf(parsed: readonly ParsedBot[]): ReadonlyMap<string, string> {
  return new Map(
    parsed.flatMap(({ document, text }) => (text === undefined ? [] : [[document.id, text] as const])),
  );
}

/** The error of a failed seed. If changes from the console prevented it, they are listed first. */
function refusalOf(terminal: Terminal, error: unknown): unknown {
  if (!(error instanceof ConsoleChangesError)) return error;
  sayUndone(terminal, error.outcomes, false);
  return consoleChangesError(error.outcomes);
}

/** The documents whose intents differ from the stored ones. Has to be called before the documents are stored. */
async function changedExamples({ bots }: Store, documents: readonly BotDocument[]): Promise<BotDocument[]> {
  const changed: BotDocument[] = [];
  for (const document of documents) {
    const isSilent = (document.intents ?? []).length === 0;
    if (isSilent || (await bots.findIntentModelId(document.id)) === intentModelIdOf(document)) continue;
    changed.push(document);
  }
  return changed;
}

/** The data deleted together with a bot. */
function lossOf({ id, change }: SeededBot, pruned: readonly PrunedBot[]): Partial<PrunedBot> | undefined {
  return change === "deleted" ? pruned.find((bot) => bot.id === id) : undefined;
}

function reviewOf({ id }: SeededBot, reviews: ReadonlyMap<string, BotReview>) {
  const review = reviews.get(id);
  return review && { review };
}

/**
 * Reads, trains and tests bots before any of them is stored. A dry run does the same only as far as its result needs it: it trains bots
 * that have tests and reads their documents, and it reads the documents of all bots if an unreadable document would stop the seed.
 */
async function prepare(
  store: Store,
  terminal: Terminal,
  config: Config,
  parsed: readonly ParsedBot[],
  { dryRun, strict }: { dryRun: boolean; strict: boolean },
): Promise<PreparedBots & { failing: FaultsByBot }> {
  const tested = parsed.filter(({ document: { tests = [] } }) => tests.length > 0);
  const read = await readOf(store, terminal, config, dryRun && !strict ? tested : parsed);
  if (strict) refuseFaults(terminal, read);
  const toTrain = (dryRun ? tested : parsed).map(({ document }) => document);
  const models = await trainDocuments(store, terminal, toTrain);
  return { read, models, failing: await failingTests(store, terminal, config, tested, { models, read }) };
}

type FaultsByBot = ReadonlyMap<string, readonly SeedProblem[]>;

/** Problems of bots in words, by id. */
function messagesOf(parsed: readonly ParsedBot[], found: readonly FaultsByBot[]): Map<string, string[]> {
  return new Map(
    parsed.flatMap(({ document: { id }, faults = [] }) => {
      const all = [...faults, ...found.flatMap((byBot) => byBot.get(id) ?? [])];
      return all.length === 0 ? [] : [[id, all.map(({ message }) => message)] as const];
    }),
  );
}

/** The error text for faults that were not accepted. */
function countFaults(faults: number): string {
  const count = faults === 1 ? "one fault" : `${faults} faults`;
  return `${count}; --accept-faults accepts ${faults === 1 ? "it" : "them"}`;
}

function readOf(
  store: Store,
  terminal: Terminal,
  config: Config,
  parsed: readonly ParsedBot[],
): Promise<KnowledgeByBot> {
  const fromFiles = parsed.map((bot) => ({ document: bot.document, folder: folderOf(bot) }));
  return botsToRead(store, fromFiles).then((bots) => readBots(store, terminal, bots, fetchSettings(config)));
}

/** The stored documents of a bot. */
async function knowledgeNow(store: Store, id: string): Promise<BotKnowledge> {
  const bot = await store.bots.find(id);
  return bot ? storedKnowledgeOf(store, bot.key) : NO_KNOWLEDGE;
}

/** The bots that changed, or whose documents changed. */
function idsOfChanged(
  bots: readonly SeededBot[],
  refreshed: ReadonlyMap<string, RefreshedKnowledge>,
): string[] {
  return bots
    .filter(({ id, change }) => change !== "unchanged" || hasNews(refreshed.get(id)))
    .map(({ id }) => id);
}

function hasNews(refreshed: RefreshedKnowledge | undefined): boolean {
  return (
    refreshed !== undefined && (refreshed.removed > 0 || refreshed.sources.some(({ stored }) => stored > 0))
  );
}

function knowledgeOf({ id }: SeededBot, refreshed: ReadonlyMap<string, RefreshedKnowledge>) {
  const knowledge = refreshed.get(id);
  return knowledge && { knowledge };
}

interface SeededBot extends Pick<SeedOutcome, "change" | "undoes"> {
  id: string;
  token?: string;
  snippet?: string;
}

async function seedBots(
  store: Store,
  terminal: Terminal,
  documents: readonly BotDocument[],
  models: SeedModels,
  options: SeedOptions & { issueTokens: boolean; config: Config },
): Promise<SeededBot[]> {
  const addresses = publicAddresses(options.config, options.config.port);
  const outcomes = await store.bots.seed(documents, options, ...(options.dryRun ? [] : [models]));
  sayUndone(terminal, outcomes, !options.dryRun);
  const seeded: SeededBot[] = [];
  for (const { botId, change, undoes } of outcomes) {
    const isIssued = change === "created" && options.issueTokens && !options.dryRun;
    const token = isIssued ? await issueEmbedToken(store, terminal, { botIds: [botId] }) : undefined;
    seeded.push({
      id: botId,
      change,
      ...(undoes && { undoes }),
      ...(token && tokenOf(token.embedToken, botId, addresses)),
    });
  }
  return seeded;
}

/** The output for a bot's new token. */
function tokenOf(
  embedToken: EmbedToken,
  botId: string,
  addresses: PublicAddresses,
): Pick<SeededBot, "token" | "snippet"> {
  return { token: embedToken, snippet: widgetSnippet({ ...addresses, botId, embedToken }) };
}

/**
 * `--issue-tokens` issues tokens only for new bots. Warns of existing bots without a token, which no page can reach. For those with one,
 * says how to create another, because a token is shown only once.
 */
async function sayWithoutToken(
  store: Store,
  terminal: Terminal,
  { data, store: address }: Config,
  bots: readonly SeededBot[],
): Promise<void> {
  const tokens = await store.embedTokens.list();
  const active = tokens.filter((token) => embedTokenState(token, terminal.now()) === "active");
  const reachable = new Set<string>(active.flatMap(({ botIds }) => botIds));
  const isDefault = address !== undefined || data === SETTINGS.data.default;
  const folder = isDefault ? "" : ` --data ${data}`;
  const older = bots.filter(({ change }) => change !== "deleted" && change !== "created");
  const command = (id: string) => `\`parley token create --bot ${id}${folder}\``;
  for (const { id } of older.filter((bot) => !reachable.has(bot.id))) {
    terminal.say(`${id} has no token, and only new bots get one here; ${command(id)} creates one`);
  }
  const having = older.filter(({ id }) => reachable.has(id));
  const [first] = having;
  if (first === undefined) return;
  const who = having.length === 1 ? `${first.id} has a token` : `${having.length} bots have tokens`;
  terminal.say(
    `${who} already, shown only when created; ${command(having.length === 1 ? first.id : "BOT")} creates another`,
  );
}

function describeSeeded({ id, change, token, snippet }: SeededBot, refreshed?: RefreshedKnowledge): string {
  const lines = [`${change.padEnd(9)}  ${id}`];
  if (refreshed !== undefined) lines.push(...describeRefreshed(refreshed));
  if (token !== undefined) lines.push(`  token    ${token}`, `  snippet  ${snippet}`);
  return lines.join("\n");
}
