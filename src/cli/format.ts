import type { ChatSource } from "../domain/chat.ts";
import type { Rating } from "../domain/feedback.ts";

/** Removes characters that could move the cursor or recolour the terminal, because visitors wrote the text. */
export function printable(text: string): string {
  return text.replace(CONTROL_CHARACTER, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** All control characters but tab and line feed, and bidirectional overrides, which can reorder a line on screen. */
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

/** A text on one line, cut to a number of characters as a reader counts them. */
export function excerpt(text: string, most: number): string {
  const line = text.trim().replaceAll(/\s+/g, " ");
  const characters = Array.from(CHARACTERS.segment(line), ({ segment }) => segment);
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : line;
}

/** Shown instead of text that was not stored. */
export const NOT_KEPT = "(not kept)";

/** `rated down: too vague`. */
export function ratingInWords({ rating, reason }: { rating: Rating; reason?: string | null }): string {
  return printable(`rated ${rating}${reason ? `: ${excerpt(reason, Infinity)}` : ""}`);
}

/** An instant in UTC, to the second. */
export function formatInstant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** A share of 0–1 in per cent; a dash if nothing was measured. */
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

/** The source document of an answer. */
export function sourceInWords({ title, url }: ChatSource): string {
  return url === undefined ? title : `${title} <${url}>`;
}
