/**
 * What shows how a text is to be drawn, wherever it stands, also with another value right before or behind it. An address becomes no link by itself
 * where its `:`, the first of its slashes or the `.` behind `www` is escaped.
 */
const INLINE =
  /[\\`*[\]<|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#?\w+;)|:(?=\/|$)|(?<=mailto|tel):|^\/(?=\/)|(?<=www)\./giu;
/** What does so at the beginning of a line alone: headings, lists, quotations, rules. */
const AT_LINE_START = /^(\s*)(?:(#{1,6}|[+-])(?=\s|$)|(>)|([=-]+)\s*$|(\d{1,9})(?=[.)](?:\s|$)))/;

/**
 * A value as plain text in an answer that is drawn as Markdown: on one line, without invisible characters, and with all that would draw
 * something else escaped (CommonMark, "Backslash escapes"). Pure.
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
