import { BOT_RULES } from "../../bots/rules.ts";
import type { BotDocument, BotProblem, BotRule } from "../../domain/bot.ts";
import type { KnowledgeEntry } from "../../domain/knowledge.ts";
import type { BotMistake } from "../../domain/operator/bots.ts";
import { type NamedEntry, isAddress, knowledgeEntries } from "../../knowledge/sources/source.ts";
import { parseBotFiles, type Place } from "../../seed/bot-file.ts";
import { MAX_BOT_FILE_BYTES } from "../../seed/bot-sources.ts";
import { type ConfiguredNames, warnOfUnknownNames } from "../../seed/configured-names.ts";
import { type BundleSources, refuseForeignBundle } from "../../seed/document-rules.ts";
import type { SeedProblem } from "../../seed/problem.ts";
import { textFault } from "../../seed/read-document.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import { defaultWelcome } from "../../texts/default-welcome.ts";

/** A bot that an operator has written, and what it is to be held against. */
export interface YamlToCheck {
  yaml: string;
  /** The bot that it is to be; absent of a new one. */
  id?: string;
  /** The `knowledge` of that bot as it is now: files that it names stay, and no others come. */
  knowledge?: BotDocument["knowledge"];
  /** The address of the template of that bot as it is now: it may stay, wherever it leads. */
  bundleUrl?: string;
  /** What is configured; absent where that is not known. */
  configured?: ConfiguredNames;
  /** Where bundles of templates may come from; absent where that is not known. */
  bundles?: BundleSources;
}

/** YAML that is to be the bot's next version. @param files whose files may stay: those of the published version, or of the one that comes back */
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
  /** Absent where the YAML cannot be read as one bot; it may have mistakes nonetheless. */
  document?: BotDocument;
  /** Of the messages of each of its tests; absent where it has none. */
  testPlaces?: readonly (readonly Place[])[];
  /** What the bot greets with where it has no greeting of its own; there with the document. */
  defaultWelcome?: string;
}

/** Judges a bot as `seed` does, and by what holds for a bot that no file stands behind. */
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
    const message = `there are ${bots.length} bots here; write one`;
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

/** Whether nothing stands against publishing it. */
export function isSound(checked: CheckedYaml): checked is CheckedYaml & { document: BotDocument } {
  return checked.document !== undefined && checked.mistakes.every(({ severity }) => severity === "warning");
}

function faultOfText(yaml: string): string | undefined {
  if (Buffer.byteLength(yaml) > MAX_BOT_FILE_BYTES)
    return `this is larger than ${MAX_BOT_FILE_BYTES / 1024 / 1024} MiB; no bot needs that much`;
  return textFault(yaml);
}

function mistakeOf({ source: _, ...mistake }: SeedProblem): BotMistake {
  return mistake;
}

function refuseOtherId(id: string | undefined): BotRule {
  return (bot) => {
    if (id === undefined || bot.id === id || bot.id === "unnamed") return [];
    const message = `the id of this bot is \`${id}\`, and stays; make another bot for another id`;
    return [{ pointer: "/id", message, severity: "error" }];
  };
}

/** Files lie where the bot's own file lies: a document that is published here cannot bring others. */
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
