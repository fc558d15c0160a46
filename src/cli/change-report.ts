import type { FieldChange } from "../domain/change.ts";
import type { AuditedChange } from "../operate/audit-changes.ts";
import { counted, excerpt, printable } from "./format.ts";
import type { Colours } from "./terminal.ts";

/** Characters shown of one value; `--json` has all. */
const VALUE_LENGTH = 70;
/** Lines shown of one change; a new bot has one line for each intent. */
const MAX_LINES = 20;

/** The report of `parley audit changes`: a paragraph for each change. */
export function describeChanges(changes: readonly AuditedChange[], colours: Colours): string {
  return changes.map((change) => describeChange(change, colours)).join("\n\n");
}

function describeChange(
  { at, by, what, subject, fields, omittedFields }: AuditedChange,
  colours: Colours,
): string {
  const who = `by ${by.kind === "server" ? `the server, as ${by.name}` : by.name}`;
  const how = by.command === undefined ? "" : ` with \`${by.command}\``;
  const heading = printable(`${colours.bold(`${what} ${subject}`)}  ${colours.dim(at)}  ${who}${how}`);
  const lines = describeDifference({ fields, omittedFields }, colours);
  return lines === "" ? heading : `${heading}\n${lines}`;
}

/** The differing values, one line each, and the number of lines left out. */
export function describeDifference(
  { fields, omittedFields }: Pick<AuditedChange, "fields" | "omittedFields">,
  colours: Colours,
): string {
  const lines = fields.flatMap(describeField);
  const more = Math.max(0, lines.length - MAX_LINES) + omittedFields;
  return [
    ...lines.slice(0, MAX_LINES).map((line) => printable(`  ${line}`)),
    ...(more > 0 ? [colours.dim(`  … and ${counted(more, "more line")}`)] : []),
  ].join("\n");
}

function describeField({ field, before, after, removed, added, isCut }: FieldChange): string[] {
  const items = [
    ...(removed ?? []).map((item) => `${field}: - ${show(item)}`),
    ...(added ?? []).map((item) => `${field}: + ${show(item)}`),
  ];
  const values =
    before === undefined && after === undefined ? [] : [`${field}: ${show(before)} → ${show(after)}`];
  return [...items, ...values, ...(isCut ? [`${field}: … longer than the part that is stored`] : [])];
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  return excerpt(typeof value === "string" ? value : JSON.stringify(value), VALUE_LENGTH);
}
