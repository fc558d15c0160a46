import { BOT_RULES } from "../../bots/rules.ts";
import type { BotDocument, BotProblem, BotRule } from "../../domain/bot.ts";
import type { KnowledgeEntry } from "../../domain/knowledge.ts";
import type { BotMistake } from "../../domain/operator/bots.ts";
import { isAddress, knowledgeEntries, type NamedEntry } from "../../knowledge/sources/source.ts";
import { parseBotFiles, type Place } from "../../seed/bot-file.ts";
import { MAX_BOT_FILE_BYTES } from "../../seed/bot-sources.ts";
import { type ConfiguredNames, warnOfUnknownNames } from "../../seed/configured-names.ts";
import { type BundleSources, refuseForeignBundle } from "../../seed/document-rules.ts";
import type { SeedProblem } from "../../seed/problem.ts";
import { textFault } from "../../seed/read-document.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import { defaultWelcome } from "../../texts/bot-wording.ts";

/** YAML from an operator, with what it is checked against. */
export interface YamlToCheck {
  yaml: string;
  /** Id of the bot; absent for a new one. */
  id?: string;
  /** The bot's current `knowledge`: its files may stay, and new ones are rejected. */
  knowledge?: BotDocument["knowledge"];
  /** The bot's current template address, which may stay even if its origin is not allowed. */
  bundleUrl?: string;
  /** Configured names; absent if unknown. */
  configured?: ConfiguredNames;
  /** Allowed origins of template bundles; absent if unknown. */
  bundles?: BundleSources;
}

/** YAML for the bot's next version. @param files the version whose files may stay: the published one, or the one being restored */
export function yamlOf(
  { id, document }: Pick<StoredBot, "id" | "document">,
  yaml: string,
  { knowledge }: Pick<BotDocument, "knowledge"> = document,
): YamlToCheck {
  const { template } = document;
  return { yaml, id, ...(knowledge && { knowledge }), ...(template && { bundleUrl: template.bundleUrl }) };
}

export interface CheckedYaml {
  mistakes: BotMistake[];
  /** Absent if the YAML is not exactly one bot. May be present although there are mistakes. */
  document?: BotDocument;
  /** The places of each test's messages; absent without tests. */
  testPlaces?: readonly (readonly Place[])[];
  /** The default greeting; present with the document. */
  defaultWelcome?: string;
}

/** Checks a bot as `seed` does, plus the rules for bots without a file. */
export function checkYaml({ yaml, id, knowledge, bundleUrl, configured, bundles }: YamlToCheck): CheckedYaml {
  const fault = faultOfText(yaml);
  if (fault !== undefined) return { mistakes: [{ message: fault, severity: "error" }] };
  const rules = [
    ...BOT_RULES,
    refuseOtherId(id),
    refuseNewFiles({ ...(knowledge && { knowledge }) }),
    ...(configured ? [warnOfUnknownNames(configured)] : []),
    ...(bundles ? [refuseForeignBundle(bundles, bundleUrl)] : []),
  ];
  const { bots, problems } = parseBotFiles([{ name: "bot.yaml", text: yaml }], rules);
  const mistakes = problems.map(mistakeOf);
  const [bot, ...others] = bots;
  if (others.length > 0) {
    const message = `this contains ${bots.length} bots; keep only one`;
    return { mistakes: [...mistakes, { message, severity: "error" }] };
  }
  if (!bot) return { mistakes };
  const { document, testPlaces } = bot;
  return {
    mistakes,
    document,
    ...(testPlaces && { testPlaces }),
    defaultWelcome: defaultWelcome(document),
  };
}

/** Whether the bot can be published: it parses, and no mistake is an error. */
export function isSound(checked: CheckedYaml): checked is CheckedYaml & { document: BotDocument } {
  return checked.document !== undefined && checked.mistakes.every(({ severity }) => severity === "warning");
}

function faultOfText(yaml: string): string | undefined {
  if (Buffer.byteLength(yaml) > MAX_BOT_FILE_BYTES)
    return `this is larger than ${MAX_BOT_FILE_BYTES / 1024 / 1024} MiB, the limit for a bot`;
  return textFault(yaml);
}

function mistakeOf({ source: _, ...mistake }: SeedProblem): BotMistake {
  return mistake;
}

function refuseOtherId(id: string | undefined): BotRule {
  return (bot) => {
    // "unnamed" stands for a missing or faulty id, which is a mistake of its own.
    if (id === undefined || bot.id === id || bot.id === "unnamed") return [];
    const message = `the id of this bot is \`${id}\` and cannot be changed; create a new bot for another id`;
    return [{ pointer: "/id", message, severity: "error" }];
  };
}

/** New files are rejected: their paths are relative to the bot file, which does not exist here. */
function refuseNewFiles(published: Pick<BotDocument, "knowledge">): BotRule {
  const known = new Map(knowledgeEntries(published).map(({ name, entry }) => [name, entry]));
  return (bot) =>
    knowledgeEntries(bot).flatMap((named, index) =>
      isFile(named.entry) && !Bun.deepEquals(known.get(named.name), named.entry)
        ? [newFile(named, bot, index)]
        : [],
    );
}

function isFile(entry: KnowledgeEntry): boolean {
  return typeof entry === "string" ? !isAddress(entry) : "path" in entry;
}

function newFile({ name }: NamedEntry, { knowledge }: BotDocument, index: number): BotProblem {
  return {
    pointer: `${Array.isArray(knowledge) ? "/knowledge" : "/knowledge/sources"}/${index}`,
    message: `\`${name}\` is a file or folder, which only \`parley seed\` can read; upload its documents here, or name an address`,
    severity: "error",
  };
}
