import { DOCUMENT_LIMITS, type DocumentLimits } from "../../../src/knowledge/sources/limits.ts";
import { type ParseNews, ParseThread } from "../../../src/knowledge/sources/thread/parse-thread.ts";
import { pdfBomb } from "../documents.ts";

export interface DocumentBombFindings {
  /** Of the bomb, and of a document after it. */
  news: ParseNews;
  next: ParseNews;
  /** By how much the process is larger than before the bomb. */
  grownBytes: number;
}

/** A slow machine needs its time to fill the memory. */
const LIMITS: DocumentLimits = { ...DOCUMENT_LIMITS, milliseconds: 600_000, memoryBytes: 300_000_000 };
const FINE = { format: "text" as const, bytes: new TextEncoder().encode("fine"), limits: DOCUMENT_LIMITS };

/** Has a thread read a PDF that becomes 870 MB. */
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
