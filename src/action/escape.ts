/**
 * Markdown characters with a meaning anywhere, also next to another value. Escaping `:`, the first of two slashes and the `.` after `www` keeps
 * addresses from becoming links.
 */
const INLINE =
  /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|:(?=\/|$)|(?<=mailto|tel):|^\/(?=\/)|(?<=www)\./giu;
/** Markdown characters with a meaning at the start of a line only: headings, lists, quotations, rules. */
const AT_LINE_START = /^(\s*)(?:(#{1,6}|[+-])(?=\s|$)|(>)|([=-]+)\s*$|(\d{1,9})(?=[.)](?:\s|$)))/;

/**
 * A value as plain text for an answer in Markdown: on one line, without invisible characters, with all characters that have a meaning in
 * Markdown escaped (CommonMark, "Backslash escapes"). Pure.
 */
export function escapeForMarkdown(value: string, isAtLineStart: boolean): string {
  const line = value
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replaceAll(/\p{Cf}/gu, "")
    .trim()
    .replaceAll(INLINE, "\\$&");
  if (!isAtLineStart) return line;
  return line.replace(AT_LINE_START, (start) => (/\d$/.test(start) ? `${start}\\` : `\\${start}`));
}
