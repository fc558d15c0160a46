import { DOCUMENT_LIMITS, type DocumentLimits } from "../../../src/knowledge/sources/limits.ts";
import { type ParseNews, ParseThread } from "../../../src/knowledge/sources/thread/parse-thread.ts";
import { pdfBomb } from "../documents.ts";

export interface DocumentBombFindings {
  /** Results for the bomb, and for a document after it. */
  news: ParseNews;
  next: ParseNews;
  /** Growth of the process's memory since before the bomb, in bytes. */
  grownBytes: number;
}

/** A slow machine needs time to fill the memory. */
const LIMITS: DocumentLimits = { ...DOCUMENT_LIMITS, milliseconds: 600_000, memoryBytes: 300_000_000 };
const FINE = { format: "text" as const, bytes: new TextEncoder().encode("fine"), limits: DOCUMENT_LIMITS };

/** Parses a PDF of 870 MB of decompressed text on a thread. */
async function readBomb(): Promise<DocumentBombFindings> {
  using thread = new ParseThread();
  await thread.parse(FINE);
  const bytes = pdfBomb(30_000_000);
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  const news = await thread.parse({ format: "pdf", bytes, limits: LIMITS });
  const next = await thread.parse(FINE);
  Bun.gc(true);
  return { news, next, grownBytes: process.memoryUsage.rss() - before };
}

if (import.meta.main) console.log(JSON.stringify(await readBomb()));
