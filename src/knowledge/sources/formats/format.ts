/** A readable format of documents. */
export type Format = "markdown" | "html" | "text" | "pdf" | "docx" | "csv" | "json" | "jsonl";

const BY_EXTENSION: ReadonlyMap<string, Format> = new Map([
  ["md", "markdown"],
  ["markdown", "markdown"],
  ["mdx", "markdown"],
  ["html", "html"],
  ["htm", "html"],
  ["xhtml", "html"],
  ["txt", "text"],
  ["text", "text"],
  ["pdf", "pdf"],
  ["docx", "docx"],
  ["csv", "csv"],
  ["tsv", "csv"],
  ["json", "json"],
  ["jsonl", "jsonl"],
  ["ndjson", "jsonl"],
]);

/** The format of a file, by its extension; undefined if it is not readable. */
export function formatOfFile(name: string): Format | undefined {
  return BY_EXTENSION.get(/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "");
}

const BY_CONTENT_TYPE: ReadonlyMap<string, Format> = new Map([
  ["text/html", "html"],
  ["application/xhtml+xml", "html"],
  ["text/markdown", "markdown"],
  ["text/plain", "text"],
  ["application/pdf", "pdf"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["text/csv", "csv"],
]);

/** The format of a body, by its `Content-Type`. Markdown is often sent as plain text, so the path's extension counts too. */
export function formatOfBody(contentType: string, path: string): Format | undefined {
  const [type = ""] = contentType.toLowerCase().split(";");
  const format = BY_CONTENT_TYPE.get(type.trim());
  const isMarkdown = format === "text" && formatOfFile(path) === "markdown";
  return isMarkdown ? "markdown" : format;
}

/** Readable formats, in words. */
export const READABLE = "Markdown, HTML, text, PDF, DOCX, CSV or JSON";
