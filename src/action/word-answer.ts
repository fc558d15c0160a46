import type { ActionAnswer, CallFault } from "../domain/action.ts";
import type { SlotValues } from "./build-request.ts";
import type { CompiledAction } from "./compile-action.ts";
import { fieldOf, fillTemplate, type Placeholder, type Template } from "./template.ts";
import { inWords, MAX_ITEMS, slotInWords, type Wording } from "./wording.ts";

/** The response of an endpoint. */
export interface EndpointAnswer {
  status: number;
  /** JSON; undefined if there is none. */
  body?: unknown;
  /** The reason why the body is unusable. */
  fault?: CallFault;
}

/** The bot's text for a response. */
export type WordedAnswer =
  | { ok: true; index: number; text: string; shown: readonly string[]; proofFailed: boolean }
  | { ok: false; fault: CallFault; index?: number; proofFailed: boolean };

/** Statuses by which endpoints say that a proof of identity failed. */
const PROOF_FAILED: ReadonlySet<number> = new Set([401, 403, 404, 422]);

/** The text of an action's first entry that matches a response. Pure. */
export function wordAnswer(
  { answers, proof, slots }: CompiledAction,
  answer: EndpointAnswer,
  values: SlotValues,
  wording: Wording,
): WordedAnswer {
  const index = answers.findIndex(({ when }) => matches(when, answer));
  const entry = answers[index];
  const isFailed = PROOF_FAILED.has(answer.status) || entry?.proofFailed === true;
  const proofFailed = proof.size > 0 && isFailed;
  if (entry === undefined) return { ok: false, fault: answer.fault ?? "no-match", proofFailed };
  const shown: string[] = [];
  const text = fillTemplate(entry.say, (placeholder, before) =>
    placeholder.of === "slot"
      ? slotText(placeholder, { values, slots, wording }, before)
      : answerText(placeholder, answer, wording, before, shown),
  );
  if (text === undefined) return { ok: false, fault: answer.fault ?? "no-words", index, proofFailed };
  return { ok: true, index, text, shown, proofFailed };
}

/** Statuses outside 200 to 299 match only if named. */
function matches(when: ActionAnswer["when"] = {}, { status, body, fault }: EndpointAnswer): boolean {
  const isSuccess = status >= 200 && status < 300;
  const asks = Object.keys(when);
  if (!isSuccess && !asks.includes("status")) return false;
  if (fault !== undefined && isSuccess) return false;
  return Object.entries(when).every(([path, wanted]) => {
    const found = path === "status" ? status : fieldOf({ body }, path.split("."));
    return Array.isArray(wanted) ? wanted.some((one) => one === found) : wanted === found;
  });
}

function answerText(
  { path, format }: Placeholder,
  { status, body }: EndpointAnswer,
  wording: Wording,
  before: string,
  shown: string[],
): string | undefined {
  const value = path[0] === "status" ? status : fieldOf({ body }, path);
  const items = format?.kind === "list" ? itemsOf(value, format.item) : undefined;
  if (format?.kind === "list") {
    if (items === undefined) return undefined;
    shown.push(...items);
    return listInMarkdown(items, before, Array.isArray(value) && value.length > items.length);
  }
  const text = inWords(value, format, wording);
  if (text === undefined) return undefined;
  shown.push(text);
  return escapeForMarkdown(text, beginsLine(before));
}

const beginsLine = (before: string): boolean => /(?:^|\n)\s*$/.test(before);

function itemsOf(value: unknown, item: readonly string[]): string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value
    .slice(0, MAX_ITEMS)
    .map((one) => inWords(fieldOf(one, item), undefined, { language: "en", timeZone: "UTC" }));
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function listInMarkdown(items: readonly string[], before: string, hasMore: boolean): string {
  const lines = [...items.map((item) => escapeForMarkdown(item, true)), ...(hasMore ? ["…"] : [])];
  const start = before === "" || before.endsWith("\n") ? "" : "\n";
  return start + lines.map((line) => `- ${line}`).join("\n");
}

/** Values with the settings for wording them. */
interface SlotTexts {
  values: SlotValues;
  slots: CompiledAction["slots"];
  wording: Wording;
}

function slotText(
  { path, format }: Placeholder,
  { values, slots, wording }: SlotTexts,
  before: string,
): string {
  const given = values[path[0]!];
  if (given === undefined) return "";
  const slot = slots.find(({ name }) => name === path[0]);
  const label = slot?.choices?.find(({ value }) => value === given.value)?.label;
  const text = label ?? slotInWords(given.type, given.value, format, wording);
  return escapeForMarkdown(text, beginsLine(before));
}

/** A text with the visitor's values, such as a confirmation. Pure. */
export function wordSlots(template: Template, texts: SlotTexts): string {
  return fillTemplate(template, (placeholder, before) => slotText(placeholder, texts, before)) ?? "";
}

/**
 * Markdown characters with a meaning anywhere, also next to another value. Escaping `:`, the first of two slashes and the `.` after `www`
 * keeps addresses from becoming links.
 */
const INLINE =
  /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|:(?=\/|$)|(?<=mailto|tel):|^\/(?=\/)|(?<=www)\./giu;
/** Markdown characters with a meaning at the start of a line only: headings, lists, quotations, rules. */
const AT_LINE_START = /^(\s*)(?:(#{1,6}|[+-])(?=\s|$)|(>)|([=-]+)\s*$|(\d{1,9})(?=[.)](?:\s|$)))/;

/**
 * A value as plain text for an answer in Markdown: on one line, without invisible characters, with all characters that have a meaning in
 * Markdown escaped (CommonMark, "Backslash escapes"). Pure.
 */
function escapeForMarkdown(value: string, isAtLineStart: boolean): string {
  const line = value
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replaceAll(INLINE, "\\$&");
  if (!isAtLineStart) return line;
  return line.replace(AT_LINE_START, (start) => (/\d$/.test(start) ? `${start}\\` : `\\${start}`));
}
