import { describe, expect, test } from "bun:test";

import type { Format } from "../../../../src/knowledge/sources/formats/format.ts";
import { DOCUMENT_LIMITS, type DocumentLimits } from "../../../../src/knowledge/sources/limits.ts";
import { type ParseNews, ParseThread } from "../../../../src/knowledge/sources/thread/parse-thread.ts";
import type { DocumentBombFindings } from "../../../support/bombs/document-bomb.ts";
import { runScript } from "../../../support/bombs/run-script.ts";
import { pdfBomb } from "../../../support/documents.ts";
import { HANG_MS } from "../../../support/eventually.ts";

const raw = (format: Format, content: string | Uint8Array, limits: Partial<DocumentLimits> = {}) => ({
  format,
  bytes: new Uint8Array(Buffer.from(content as string)),
  limits: { ...DOCUMENT_LIMITS, ...limits },
});

const FINE = raw("text", "fine");
const READ: ParseNews = { kind: "read", document: { passages: [{ headingPath: [], body: "fine" }] } };

describe("the thread that reads documents", () => {
  test("answers each in its turn", async () => {
    using thread = new ParseThread();
    const news = await Promise.all([thread.parse(FINE), thread.parse(raw("text", "")), thread.parse(FINE)]);
    expect(news).toEqual([READ, { kind: "unreadable", reason: "is empty" }, READ]);
  });

  test("gives up what takes too long, and reads the next", async () => {
    using thread = new ParseThread();
    const [slow, next] = await Promise.all([
      thread.parse(raw("pdf", pdfBomb(30_000_000), { milliseconds: 300 })),
      thread.parse(FINE),
    ]);
    expect([slow, next]).toEqual([{ kind: "unreadable", reason: "takes longer than 0.3 s to read" }, READ]);
  });

  test("gives up what takes too much memory, and reads the next", async () => {
    let isGrowing = false;
    using thread = new ParseThread(undefined, () => (isGrowing ? 200_000_000 : 0));
    const large = thread.parse(
      raw("pdf", pdfBomb(30_000_000), { memoryBytes: 100_000_000, milliseconds: HANG_MS }),
    );
    const next = thread.parse(FINE);
    await Bun.sleep(100);
    isGrowing = true;
    expect(await large).toEqual({ kind: "unreadable", reason: "takes more than 100 MB of memory to read" });
    isGrowing = false;
    expect(await next).toEqual(READ);
  });

  test("takes a bomb's memory for too much, and gives it back", () => {
    const { news, next, grownBytes } = runScript("document-bomb.ts") as DocumentBombFindings;
    expect(news).toEqual({ kind: "unreadable", reason: "takes more than 300 MB of memory to read" });
    expect(next).toEqual(READ);
    expect(grownBytes).toBeLessThan(300_000_000);
  });

  test("survives a failure of its own", async () => {
    const broken = `data:text/javascript,${encodeURIComponent("self.addEventListener('message', () => { throw new Error('broken'); })")}`;
    using thread = new ParseThread(new URL(broken));
    const news = await thread.parse(FINE);
    expect(news).toMatchObject({ kind: "unreadable" });
    expect((news as { reason: string }).reason).toContain("broken");
  });

  test.each<[string, Format, string]>([
    ["quotes inside each other", "markdown", `${">".repeat(100_000)}x`],
    ["lists inside each other", "markdown", `${"- ".repeat(100_000)}x`],
    ["100,000 elements inside each other", "html", "<div>".repeat(100_000)],
    ["JSON inside each other", "json", "[".repeat(1_000_000)],
    ["a DOCX that is none", "docx", "PK\x05\x06".padEnd(22, "\0")],
  ])("names the fault of %s, and goes on", async (_name, format, content) => {
    using thread = new ParseThread();
    expect(await thread.parse(raw(format, content))).toMatchObject({ kind: "unreadable" });
    expect(await thread.parse(FINE)).toEqual(READ);
  });
});
