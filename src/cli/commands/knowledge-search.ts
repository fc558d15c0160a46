import type { Command } from "@commander-js/extra-typings";

import { storedKnowledge } from "../../bots/bot-knowledge.ts";
import { isJsonObject } from "../../domain/json-object.ts";
import { EncoderThread } from "../../intent/classifier.ts";
import { type KnowledgeSearch, searchKnowledge } from "../../operate/search-knowledge.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError, UsageError } from "../exit-code.ts";
import { excerpt, formatJson, formatShare, printable } from "../format.ts";
import { readInput } from "../option-values.ts";
import { passageVectors } from "../passage-vectors.ts";
import { Progress } from "../progress.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** About 600,000 lines. */
const MAX_QUERY_BYTES = 64 * 1024 * 1024;
/** Characters shown of a passage. */
const EXCERPT = 200;

/** `parley knowledge search` */
export function addKnowledgeSearch(group: Command, terminal: Terminal): void {
  const command = group
    .command("search")
    .description(
      "find the passages of a bot's documents that would answer a message, regardless of its intents",
    )
    .argument("<bot>", "id of the bot")
    .argument("[query...]", "the query")
    .option("--queries <file>", 'queries as JSON lines, {"text": "…"} each, or - for stdin')
    .option("--json", "print JSON: confidence and the best five passages for each query");
  addExamples(
    addSettings(command, ["data", "store"]),
    'parley knowledge search acme-support "how long do gift cards last"',
    "parley knowledge search acme-support --queries questions.jsonl --json",
  );
  command.action(async (id, words, options) => {
    const queries = await queriesOf(terminal, words.join(" "), options.queries);
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const { key, document } = await getBot(store, id);
    using encoder = new EncoderThread({ work: "background" });
    using progress = new Progress(terminal);
    const knowledge = storedKnowledge(store.knowledge, key);
    const vectors = await passageVectors({ knowledge, encoder, store }, progress);
    const searched = { knowledge, document, vectors, encoder };
    const found: KnowledgeSearch[] = [];
    for (const query of queries) {
      progress.report("searching", found.length / queries.length);
      found.push(await searchKnowledge(searched, query));
    }
    terminal.print(options.json ? formatJson(found) : found.map(describeSearch).join("\n\n"));
  });
}

async function queriesOf(terminal: Terminal, query: string, file: string | undefined): Promise<string[]> {
  if (file !== undefined && query !== "") throw new UsageError("give a query, or --queries, not both");
  if (file !== undefined) return readQueries(terminal, file);
  if (query.trim() === "") throw new UsageError("give a query, or --queries FILE");
  return [query];
}

async function readQueries(terminal: Terminal, file: string): Promise<string[]> {
  const bytes = await readInput(terminal, file, MAX_QUERY_BYTES);
  const lines = new TextDecoder().decode(bytes).split("\n");
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [textOf(line, `${file}:${index + 1}`)]));
}

function textOf(line: string, place: string): string {
  const record = parseJson(line);
  const text = isJsonObject(record) ? record["text"] : undefined;
  if (typeof text === "string") return text;
  throw new InputError(`${place}: a line is {"text": "…"}`);
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function describeSearch({ query, confidence, isAnswered, results }: KnowledgeSearch): string {
  return [
    `${printable(query)}: ${isAnswered ? "answered" : "not answered"}, confidence ${formatShare(confidence)}`,
    ...results.map(({ title, heading, url, passage, score }, place) =>
      [
        printable(
          `  ${place + 1}. ${[title, heading].filter((part) => part !== "").join(" › ")} (${score.toFixed(2)})`,
        ),
        ...(url === null ? [] : [printable(`     ${url}`)]),
        printable(`     ${excerpt(passage, EXCERPT)}`),
      ].join("\n"),
    ),
  ].join("\n");
}
