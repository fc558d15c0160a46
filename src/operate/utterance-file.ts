import { RESTRICTION_REASONS } from "../domain/chat.ts";
import { closestName, didYouMean } from "../domain/closest-name.ts";
import { isJsonObject } from "../domain/json-object.ts";
import type { DecisionName, TestUtterance } from "./decide-utterances.ts";
import type { LabelledQuestion } from "./evaluate-knowledge.ts";

/** A line that cannot be used. */
export interface LineFault {
  /** From 1. */
  line: number;
  /** What is wrong, and what would be right. */
  message: string;
}

const DECISIONS: readonly string[] = ["allowed", ...RESTRICTION_REASONS] satisfies DecisionName[];
const FIELDS = ["text", "intent", "decision", "source", "after"];
/** What a line looks like. */
export const UTTERANCE_LINE = '{"text": "…", "intent": "name" or null}';
/** The same of a message that documents are to answer. */
export const QUESTION_LINE = '{"text": "…", "source": "address" or null}';

/** What a file asks for: lines with an intent, and lines with a source; a line with both is both. */
export interface UtteranceFile {
  utterances: TestUtterance[];
  questions: LabelledQuestion[];
  faults: LineFault[];
}

/**
 * Reads utterances, one JSON object a line; blank lines are skipped, and fields of other names than ours.
 * @param intents names that the bot knows.
 */
export function parseUtterances(text: string, intents: readonly string[]): UtteranceFile {
  const utterances: TestUtterance[] = [];
  const questions: LabelledQuestion[] = [];
  const faults: LineFault[] = [];
  text
    .replace(/^\uFEFF/, "")
    .split("\n")
    .forEach((source, index) => {
      if (source.trim() === "") return;
      const record = parseRecord(source);
      const messages = record
        ? faultsOf(record, intents)
        : [`not a JSON object; a line is ${UTTERANCE_LINE}`];
      if (record && messages.length === 0) {
        if (Object.hasOwn(record, "source")) questions.push(toQuestion(record));
        if (isUtterance(record)) utterances.push(toUtterance(record));
      }
      for (const message of messages) faults.push({ line: index + 1, message });
    });
  return { utterances, questions, faults };
}

function parseRecord(source: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(source);
    return isJsonObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function faultsOf(record: Record<string, unknown>, intents: readonly string[]): string[] {
  return [
    ...textFaults(record["text"]),
    ...(isUtterance(record) ? intentFaults(record["intent"], intents) : []),
    ...sourceFaults(record["source"]),
    ...decisionFaults(record["decision"]),
    ...afterFaults(record["after"]),
    ...Object.keys(record).flatMap((name) => nameFaults(name, record)),
  ];
}

function textFaults(text: unknown): string[] {
  if (typeof text === "string" && text.trim() !== "") return [];
  return ["`text` should be the message, as in " + UTTERANCE_LINE];
}

function intentFaults(intent: unknown, intents: readonly string[]): string[] {
  if (intent === null) return [];
  if (typeof intent !== "string")
    return ["`intent` should be the name of an intent, or null for out of scope"];
  if (intents.includes(intent)) return [];
  const hint = didYouMean(intent, intents) || "; null stands for out of scope";
  return [`the bot has no intent \`${intent}\`${hint}`];
}

/** Whether a line names an intent, as it has to where it names no source. */
function isUtterance(record: Record<string, unknown>): boolean {
  return Object.hasOwn(record, "intent") || !Object.hasOwn(record, "source");
}

function sourceFaults(source: unknown): string[] {
  if (source === undefined || source === null || (typeof source === "string" && URL.canParse(source)))
    return [];
  return ["`source` should be the address of a document, or null where none answers"];
}

function decisionFaults(decision: unknown): string[] {
  if (decision === undefined || (typeof decision === "string" && DECISIONS.includes(decision))) return [];
  return [`\`decision\` should be one of ${DECISIONS.join(", ")}, or left out`];
}

function afterFaults(after: unknown): string[] {
  const isTexts =
    Array.isArray(after) && after.every((said) => typeof said === "string" && said.trim() !== "");
  return after === undefined || isTexts ? [] : ['`after` should be what was said before, as in ["…"]'];
}

/** A field that nobody asked for does no harm, unless it is a missing one of ours, mistyped. */
function nameFaults(name: string, record: Record<string, unknown>): string[] {
  if (FIELDS.includes(name)) return [];
  const missing = FIELDS.filter((field) => !Object.hasOwn(record, field));
  const meant = closestName(name, missing);
  return meant === undefined ? [] : [`there is no field \`${name}\`; did you mean \`${meant}\`?`];
}

/** The record has no faults. */
function toQuestion({ text, source }: Record<string, unknown>): LabelledQuestion {
  return { text: text as string, source: source as string | null };
}

/** The record has no faults. */
function toUtterance({ text, intent, decision, after }: Record<string, unknown>): TestUtterance {
  return {
    text: text as string,
    intent: intent as string | null,
    ...(decision !== undefined && { decision: decision as DecisionName }),
    ...(after !== undefined && { after: after as string[] }),
  };
}
