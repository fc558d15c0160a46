import { RESTRICTION_REASONS } from "../domain/chat.ts";
import { closestName, didYouMean } from "../domain/closest-name.ts";
import { isJsonObject } from "../domain/json-object.ts";
import type { DecisionName, TestUtterance } from "./decide-utterances.ts";
import type { LabelledQuestion } from "./evaluate-knowledge.ts";

/** An invalid line. */
export interface LineFault {
  /** From 1. */
  line: number;
  /** The fault and its remedy. */
  message: string;
}

const DECISIONS: readonly string[] = ["allowed", ...RESTRICTION_REASONS] satisfies DecisionName[];
const FIELDS = ["text", "intent", "decision", "source", "after"];
/** Example of a line. */
export const UTTERANCE_LINE = '{"text": "…", "intent": "name" or null}';
/** Example of a line for documents. */
export const QUESTION_LINE = '{"text": "…", "source": "address" or null}';

/** The lines with an intent, and those with a source; a line with both is in both. */
export interface UtteranceFile {
  utterances: TestUtterance[];
  questions: LabelledQuestion[];
  faults: LineFault[];
}

/** Parses utterances, one JSON object per line; blank lines and unknown fields are ignored. @param intents known intents. */
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

/** Whether a line names an intent, which is required without a source. */
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

/** An unknown field is ignored, unless a required one is missing and it may be its misspelling. */
function nameFaults(name: string, record: Record<string, unknown>): string[] {
  if (FIELDS.includes(name)) return [];
  const missing = FIELDS.filter((field) => !Object.hasOwn(record, field));
  const meant = closestName(name, missing);
  return meant === undefined ? [] : [`there is no field \`${name}\`; did you mean \`${meant}\`?`];
}

/** The record has been checked. */
function toQuestion({ text, source }: Record<string, unknown>): LabelledQuestion {
  return { text: text as string, source: source as string | null };
}

/** The record has been checked. */
function toUtterance({ text, intent, decision, after }: Record<string, unknown>): TestUtterance {
  return {
    text: text as string,
    intent: intent as string | null,
    ...(decision !== undefined && { decision: decision as DecisionName }),
    ...(after !== undefined && { after: after as string[] }),
  };
}
