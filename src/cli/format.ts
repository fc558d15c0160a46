import type { ChatSource } from "../domain/chat.ts";
import type { Rating } from "../domain/feedback.ts";

/** `text` without the power to move the cursor or recolour the terminal: visitors wrote it. */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTER, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** All but tab and line feed; bidirectional overrides can make a line read as another. */
const CONTROL_CHARACTER = /[^\P{Cc}\t\n]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Rows as aligned columns under a heading. */
export function formatTable(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heading, ...rows].map((row) => row.map(printable));
  const widths = heading.map((_, column) =>
    Math.max(...cells.map((row) => Bun.stringWidth(row[column] ?? ""))),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat(widths[column]! - Bun.stringWidth(cell)))
      .join("  ")
      .trimEnd();
  return cells.map(line).join("\n");
}

const CHARACTERS = new Intl.Segmenter();

/** A text on one line, cut to at most so many characters as a reader counts them. */
export function excerpt(text: string, most: number): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  const characters = Array.from(CHARACTERS.segment(line), ({ segment }) => segment);
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : line;
}

/** What is shown in place of what was said, where it was not kept. */
export const NOT_KEPT = "(not kept)";

/** `rated down: too vague`. */
export function ratingInWords({ rating, reason }: { rating: Rating; reason?: string | null }): string {
  return printable(`rated ${rating}${reason ? `: ${excerpt(reason, Infinity)}` : ""}`);
}

/** An instant in UTC, to the second. */
export function formatInstant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** A share of 0–1 in per cent; a dash where there was nothing to measure. */
export function formatShare(share: number | null): string {
  return share === null ? "–" : `${(share * 100).toFixed(1)} %`;
}

/** `1 turn`, `2 turns`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

/** One JSON document for `--json`. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A document that an answer was taken from. */
export function sourceInWords({ title, url }: ChatSource): string {
  return url === undefined ? title : `${title} <${url}>`;
}
