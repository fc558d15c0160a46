import { LineCounter } from "yaml";

import type { BotTest } from "../domain/bot-test.ts";
import type { BotDocument, BotRule } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import { isJsonObject } from "../domain/json-object.ts";
import { DOCUMENT_RULES } from "./document-rules.ts";
import { byPlace, type SeedProblem } from "./problem.ts";
import { offsetOf, type ReadDocument, separateEntries, textFault } from "./read-document.ts";
import { readJson } from "./read-json.ts";
import { readYaml } from "./read-yaml.ts";
import { shapeProblems } from "./shape-problems.ts";

/**
 * The text of a file with a bot, several documents, or a list of bots; a name that ends in `.json` is read as strict JSON, any other
 * as YAML.
 */
export interface BotSource {
  name: string;
  text: string;
}

/** A position in a file: line and column from 1, the column in UTF-16 units. */
export interface Place {
  line: number;
  column: number;
}

/** A bot whose document has the right shape, with its position. */
export interface ParsedBot {
  document: BotDocument;
  source: string;
  line: number;
  /** Positions of each test's messages; absent without tests. */
  testPlaces?: readonly (readonly Place[])[];
  /** Positions of its sources of documents; absent without sources. */
  sourcePlaces?: readonly Place[];
  /** The faults among its problems; absent without faults. */
  faults?: readonly SeedProblem[];
  /** The whole file with its comments, if it is YAML with this bot only; absent for a list, several documents, and JSON. */
  text?: string;
}

export interface ParsedBotFiles {
  bots: ParsedBot[];
  /** Sorted by file and position, {@link MAX_PROBLEMS} for each file. If none is an error, every document became a bot. */
  problems: SeedProblem[];
  /** Number of errors, including those that are left out. */
  mistakes: number;
  /** Number of faults among the others, including those that are left out. */
  faults: number;
}

/** Maximum number of problems for one file: more than anybody corrects at once, and few enough for an answer of the API. Chosen by hand. */
export const MAX_PROBLEMS = 200;

/**
 * Reads bot files and reports every mistake in them at once: in syntax, in shape, against `rules`, and ids that are used twice
 * across files. Fields of the right shape are judged by the rules even where other fields have the wrong one. Never throws.
 */
export function parseBotFiles(sources: readonly BotSource[], rules: readonly BotRule[]): ParsedBotFiles {
  const found = sources.map((source) => parseSource(source, [...DOCUMENT_RULES, ...rules]));
  const bots = found.flatMap((file) => file.bots);
  const problems = [...found.flatMap((file) => file.problems), ...repeatedIds(bots)];
  const bySource = Map.groupBy(problems.toSorted(byPlace), ({ source }) => source);
  return {
    bots: bots.map(({ idPlace: _, ...bot }) => bot),
    problems: bySource.values().toArray().flatMap(firstProblems),
    mistakes: problems.filter(isError).length,
    faults: problems.filter(isFault).length,
  };
}

const isError = ({ severity }: SeedProblem) => severity === "error";
const isFault = (problem: SeedProblem) => problem.isFault === true;
const isMerelyAWarning = (problem: SeedProblem) => !isError(problem) && !isFault(problem);

/** The first problems of a file, errors before faults before other warnings, and the number of the others. */
function firstProblems(problems: readonly SeedProblem[]): SeedProblem[] {
  if (problems.length <= MAX_PROBLEMS) return [...problems];
  const byWeight = [isError, isFault, isMerelyAWarning].flatMap((has) => problems.filter(has));
  const told = byWeight.slice(0, MAX_PROBLEMS).toSorted(byPlace);
  const { isFault: _, ...last } = told.at(-1)!;
  const { severity } = byWeight[MAX_PROBLEMS]!;
  const message = `and ${problems.length - MAX_PROBLEMS} more problems in this file`;
  return [...told, { ...last, message, severity }];
}

interface PlacedBot extends ParsedBot {
  idPlace: Place;
}

interface ParsedSource {
  bots: PlacedBot[];
  problems: SeedProblem[];
}

function parseSource({ name, text: withMark }: BotSource, rules: readonly BotRule[]): ParsedSource {
  const text = withMark.replace(/^\uFEFF/, "");
  const isJson = /\.json$/i.test(name);
  const read = isJson ? readJson(text) : readYaml(text);
  const documents = read.flatMap(separateEntries);
  const placeOf = placesIn(text);
  if (documents.length === 0) {
    const message = "this file is empty; a bot needs `id`, `name` and `allowedDomains`";
    return { bots: [], problems: [{ source: name, line: 1, column: 1, message, severity: "error" }] };
  }
  const found = documents.map((document) => parseDocument(document, name, placeOf, rules));
  const bots = found.flatMap((each) => each.bots);
  const isOwnText = !isJson && read.length === 1 && !Array.isArray(read[0]!.value) && isYamlText(text);
  return {
    bots: isOwnText ? bots.map((bot) => ({ ...bot, text })) : bots,
    problems: found.flatMap(({ problems }) => problems),
  };
}

/** YAML that can be stored unchanged. JSON is not stored, because YAML shows it better. */
function isYamlText(text: string): boolean {
  return !/^\s*\{/.test(text) && textFault(text) === undefined;
}

type PlaceOf = (offset: number) => Place;

function placesIn(text: string): PlaceOf {
  const counter = new LineCounter();
  counter.addNewLine(0);
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) counter.addNewLine(at + 1);
  return (offset) => {
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  };
}

function parseDocument(
  document: ReadDocument,
  source: string,
  placeOf: PlaceOf,
  rules: readonly BotRule[],
): ParsedSource {
  const problemAt = (
    offset: number,
    message: string,
    severity: SeedProblem["severity"] = "error",
  ): SeedProblem => ({
    source,
    ...placeOf(offset),
    message,
    severity,
  });
  const placeAt = (pointer: string) => placeOf(offsetOf(document, pointer));
  const faults = document.faults.map(({ offset, message }) => problemAt(offset, message));
  if (document.state === "broken") return { bots: [], problems: faults };
  const judge = (bot: BotDocument) =>
    rules
      .flatMap((rule) => rule(bot))
      .map(({ pointer, message, severity, ...fault }) => ({
        ...problemAt(offsetOf(document, pointer), message, severity),
        ...fault,
      }));
  const shape = shapeProblems(document.value);
  if (shape.length > 0 || document.state === "cut") {
    const isWhole = document.state !== "cut";
    const faulty = shape.map(({ pointer }) => pointer);
    const sound = isWhole ? soundParts(document.value, faulty) : undefined;
    const problems = [
      ...faults,
      ...shape.map(({ pointer, at, message }) => problemAt(offsetOf(document, pointer, at), message)),
      // Only errors: a rule may warn of a field as missing that is merely left out here, because its shape is wrong.
      ...(sound ? judge(sound) : []).filter(({ severity }) => severity === "error"),
    ];
    return { bots: [], problems };
  }
  const bot = document.value as BotDocument;
  const problems = judge(bot);
  const ownFaults = problems.filter(isFault);
  const parsed = {
    document: bot,
    source,
    line: placeAt("").line,
    ...(bot.tests && { testPlaces: testPlacesOf(bot.tests, placeAt) }),
    ...(bot.knowledge && { sourcePlaces: sourcePlacesOf(bot.knowledge, placeAt) }),
    ...(ownFaults.length > 0 && { faults: ownFaults }),
    idPlace: placeAt("/id"),
  };
  return { bots: [parsed], problems: [...faults, ...problems] };
}

function testPlacesOf(tests: readonly BotTest[], placeAt: (pointer: string) => Place): Place[][] {
  return tests.map((test, index) =>
    "dialogue" in test
      ? test.dialogue.map((_, step) => placeAt(`/tests/${index}/dialogue/${step}`))
      : [placeAt(`/tests/${index}`)],
  );
}

function sourcePlacesOf(
  knowledge: NonNullable<BotDocument["knowledge"]>,
  placeAt: (pointer: string) => Place,
): Place[] {
  const [list, pointer] = Array.isArray(knowledge)
    ? [knowledge, "/knowledge"]
    : [knowledge.sources, "/knowledge/sources"];
  return list.map((_, index) => placeAt(`${pointer}/${index}`));
}

function repeatedIds(bots: readonly PlacedBot[]): SeedProblem[] {
  const first = new Map<string, PlacedBot>();
  return bots.flatMap((bot) => {
    const other = first.get(bot.document.id);
    if (other === undefined) {
      first.set(bot.document.id, bot);
      return [];
    }
    const { line, column } = other.idPlace;
    const message = `the id \`${bot.document.id}\` is already used at ${other.source}:${line}:${column}; every bot needs its own`;
    return [{ source: bot.source, ...bot.idPlace, message, severity: "error" as const }];
  });
}

/** Values for required fields that are missing or faulty, so that rules get a whole document. They satisfy all rules. */
const PLACEHOLDERS: Pick<BotDocument, "id" | "name" | "allowedDomains"> = {
  id: "unnamed" as BotId,
  name: "Unnamed",
  allowedDomains: [],
};

/** Fields that cannot be judged if another is left out. */
const DEPENDENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["intents", ["defaultIntent", "capabilityProfile", "tests"]],
  ["fallbackResponse", ["outputSchema", "intents", "defaultIntent", "capabilityProfile", "tests"]],
  ["responder", ["intents", "defaultIntent", "capabilityProfile", "tests"]],
]);

/**
 * A document without the top-level fields that contain mistakes of shape (JSON Pointers), so that rules can
 * judge the rest in the same run.
 */
function soundParts(document: unknown, faultPointers: readonly string[]): BotDocument | undefined {
  if (!isJsonObject(document)) return undefined;
  const faulty = faultPointers.map((pointer) => pointer.split("/")[1] ?? "");
  const dropped = new Set(faulty.flatMap((field) => [field, ...(DEPENDENTS.get(field) ?? [])]));
  const sound = Object.entries(document).filter(([field]) => !dropped.has(field));
  return { ...PLACEHOLDERS, ...Object.fromEntries(sound) };
}
