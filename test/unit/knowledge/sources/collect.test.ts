import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { collectKnowledge } from "../../../../src/knowledge/sources/collect.ts";
import type { Collected, KnownDocument } from "../../../../src/knowledge/sources/collected.ts";
import { DOCUMENT_LIMITS } from "../../../../src/knowledge/sources/limits.ts";
import { knowledgeSources } from "../../../../src/knowledge/sources/source.ts";
import { docxOf, pdfOf } from "../../../support/documents.ts";

type Entry = Extract<Parameters<typeof knowledgeSources>[0]["knowledge"], readonly unknown[]>[number];

let folder: string;
let site: Bun.Server<undefined>;
let pages: Record<string, string | { status: number }>;
let conditions: number;

beforeAll(() => {
  site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url, headers }) {
      const page = pages[new URL(url).pathname];
      if (page === undefined) return new Response("", { status: 404 });
      if (typeof page === "object") return new Response("", page);
      const etag = `"${Bun.hash(page)}"`;
      if (headers.has("if-none-match")) conditions++;
      if (headers.get("if-none-match") === etag) return new Response(null, { status: 304 });
      return new Response(page, { headers: { "Content-Type": "text/html; charset=utf-8", ETag: etag } });
    },
  });
});
afterAll(() => site.stop(true));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-sources-"));
  pages = {};
  conditions = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

const at = (path: string) => `http://help.test:${site.port}${path}`;

function collect(entries: readonly Entry[], known: readonly KnownDocument[] = []): Promise<Collected> {
  return collectKnowledge(
    { sources: knowledgeSources({ knowledge: [...entries] }), folder, known },
    {
      limits: { ...DOCUMENT_LIMITS, bytes: 100_000 },
      fetching: {
        allowedHosts: new Set(["help.test", "other.test"]),
        resolve: () => Promise.resolve(["127.0.0.1"]),
      },
    },
  );
}

const documentsOf = ({ sources }: Collected) => sources.flatMap(({ documents }) => documents);
const placesOf = (collected: Collected) => documentsOf(collected).map(({ place }) => place);
const skippedOf = ({ sources }: Collected) =>
  sources.flatMap(({ skipped }) =>
    skipped.map(({ place, reason, isKept }) => `${place} ${reason}${isKept ? " (kept)" : ""}`),
  );

/** What a store would know after a run. */
function knownAfter(collected: Collected, before: readonly KnownDocument[] = []): KnownDocument[] {
  const changed = documentsOf(collected);
  const gone = new Set([...collected.removed, ...changed.map(({ id }) => id)]);
  return [...before.filter(({ id }) => !gone.has(id)), ...changed];
}

describe("files", () => {
  test("become documents with title, address and passages", async () => {
    write("docs/gift-cards.md", "Gift cards last three years.");
    write(
      "docs/returns.md",
      "---\nurl: https://a.example/r\n---\n# Returns\n\nFree for 60 days.\n\n## Refunds\n\nFive days.",
    );
    write("docs/faq.csv", "question,answer\nIs it free?,Yes.");
    write("docs/manual.pdf", pdfOf([[{ text: "Pitch the tent.", y: 700 }]]));
    write(
      "docs/care.docx",
      docxOf([
        ["heading 1", "Care"],
        ["Normal", "Wash it."],
      ]),
    );
    const collected = await collect([{ path: "docs/", url: "https://a.example/help" }]);
    expect(skippedOf(collected)).toEqual([]);
    expect(documentsOf(collected).map(({ title, url, passages }) => ({ title, url, passages }))).toEqual([
      {
        title: "Care",
        url: "https://a.example/help/care.docx",
        passages: [{ headingPath: [], body: "Wash it." }],
      },
      {
        title: "Faq",
        url: "https://a.example/help/faq.csv",
        passages: [{ headingPath: ["Is it free?"], body: "Yes." }],
      },
      {
        title: "Gift cards",
        url: "https://a.example/help/gift-cards",
        passages: [{ headingPath: [], body: "Gift cards last three years." }],
      },
      {
        title: "Manual",
        url: "https://a.example/help/manual.pdf",
        passages: [{ headingPath: [], body: "Pitch the tent.", anchor: "page=1" }],
      },
      {
        title: "Returns",
        url: "https://a.example/r",
        passages: [
          { headingPath: [], body: "Free for 60 days.", anchor: "returns" },
          { headingPath: ["Refunds"], body: "Five days.", anchor: "refunds" },
        ],
      },
    ]);
  });

  test.each([
    ["help/index.md", "help/", "https://a.example/h/"],
    ["help/a b/README.md", "help/", "https://a.example/h/a%20b/"],
    ["help/a.HTML", "help/", "https://a.example/h/a.html"],
    ["help/x/index.html", "help/", "https://a.example/h/x/"],
    ["help/a.md", "help/a.md", "https://a.example/h/"],
  ])("%s of %s stands at %s", async (file, path, url) => {
    write(file, "text");
    expect(
      documentsOf(await collect([{ path, url: "https://a.example/h/" }])).map((found) => found.url),
    ).toEqual([url]);
  });

  test("have no address that is none, and none that leads anywhere but the web", async () => {
    write("a.md", "text");
    write("b.md", "---\nurl: javascript:alert(1)\n---\ntext");
    expect(documentsOf(await collect(["."])).map(({ url }) => url)).toEqual([undefined, undefined]);
  });

  test("are read only where they changed, and go where they are gone", async () => {
    for (const name of ["a", "b", "c"]) write(`docs/${name}.md`, `text of ${name}`);
    const known = knownAfter(await collect(["docs/"]));
    expect(known).toHaveLength(3);
    write("docs/b.md", "another text");
    rmSync(join(folder, "docs/c.md"));
    write("docs/d.md", "new");
    const again = await collect(["docs/"], known);
    expect(placesOf(again)).toEqual(["docs/b.md", "docs/d.md"]);
    expect(again.sources[0]!.unchanged).toEqual([known[0]!.id]);
    expect(again.removed).toEqual([known[2]!.id]);
    const third = await collect(["docs/"], knownAfter(again, known));
    expect([placesOf(third), third.removed, third.sources[0]!.unchanged.length]).toEqual([[], [], 3]);
  });

  test("are read again where their address changes, or they come from an earlier version of Parley", async () => {
    write("a.md", "text");
    const known = knownAfter(await collect(["a.md"]));
    expect(placesOf(await collect([{ path: "a.md", url: "https://a.example/" }], known))).toEqual(["a.md"]);
    expect(
      placesOf(await collect(["a.md"], [{ ...known[0]!, hash: known[0]!.hash.replace(/^\d+/, "0") }])),
    ).toEqual(["a.md"]);
  });

  test("of a source that is named no more go; those that another one names stay", async () => {
    write("docs/a.md", "a");
    write("docs/b.md", "b");
    const known = knownAfter(await collect(["docs/"]));
    const again = await collect(["docs/a.md"], known);
    expect([placesOf(again), again.removed]).toEqual([[], [known[1]!.id]]);
  });

  test("that two sources name belong to the first", async () => {
    write("docs/a.md", "a");
    write("docs/b.md", "b");
    const { sources } = await collect(["docs/b.md", "docs/"]);
    expect(sources.map(({ documents }) => documents.map(({ place }) => place))).toEqual([
      ["docs/b.md"],
      ["docs/a.md"],
    ]);
  });

  test("that cannot be read are named, stop no other, and keep what they had", async () => {
    write("docs/a.md", "a");
    write("docs/scan.pdf", pdfOf([[{ text: "Text.", y: 700 }]]));
    const known = knownAfter(await collect(["docs/"]));
    write("docs/scan.pdf", pdfOf([[]]));
    write("docs/empty.txt", "");
    write("docs/large.txt", "word ".repeat(30_000));
    write("docs/z.md", "z");
    symlinkSync("/etc/hostname", join(folder, "docs/host.txt"));
    const again = await collect(["docs/"], known);
    expect(placesOf(again)).toEqual(["docs/z.md"]);
    expect(skippedOf(again)).toEqual([
      "docs/host.txt leads out of the bot file's folder",
      "docs/empty.txt is empty",
      "docs/large.txt is larger than 0 MB",
      "docs/scan.pdf has no text, only pictures: it was scanned; run text recognition (OCR) on it (kept)",
    ]);
    expect(again.removed).toEqual([]);
  });

  test("below a folder that cannot be read stay as they were", async () => {
    write("docs/inner/a.md", "a");
    write("docs/b.md", "b");
    const known = knownAfter(await collect(["docs/"]));
    rmSync(join(folder, "docs/inner"), { recursive: true });
    symlinkSync("inner", join(folder, "docs/inner"));
    const again = await collect(["docs/"], known);
    expect(skippedOf(again)).toEqual(["docs/inner its symbolic links lead in a circle (kept)"]);
    expect(again.removed).toEqual([]);
  });

  test("of a source that cannot be read stay as they were", async () => {
    write("docs/a.md", "a");
    write("faq.md", "faq");
    const known = knownAfter(await collect(["docs/", "faq.md"]));
    rmSync(join(folder, "docs"), { recursive: true });
    const again = await collect(["docs/", "faq.md"], known);
    expect(again.sources.map(({ unreadable }) => unreadable)).toEqual([
      "there is no such file or folder",
      undefined,
    ]);
    expect(again.removed).toEqual([]);
  });

  test("are told of one by one, and are not read further than the signal lets them", async () => {
    for (const name of ["a", "b", "c"]) write(`docs/${name}.md`, name);
    const stop = new AbortController();
    const told: string[] = [];
    const order = { sources: knowledgeSources({ knowledge: ["docs/"] }), folder, known: [] };
    const reading = collectKnowledge(order, {
      signal: stop.signal,
      report: ({ done, total, place }) => {
        told.push(`${done}/${total} ${place}`);
        if (done === 1) stop.abort(new Error("enough"));
      },
    });
    await expect(reading).rejects.toThrow("enough");
    expect(told).toEqual(["0/3 docs/a.md", "1/3 docs/b.md"]);
  });
});

describe("pages", () => {
  const page = (title: string, text: string) => `<title>${title}</title><h1>${title}</h1><p>${text}`;
  const sitemap = (...paths: string[]) =>
    `<urlset>${paths.map((path) => `<url><loc>${at(path)}</loc></url>`).join("")}</urlset>`;

  test("of a sitemap become documents with their addresses", async () => {
    pages = {
      "/sitemap.xml": sitemap("/a", "/b"),
      "/a": page("A", "text of a"),
      "/b": page("B", "text of b"),
    };
    const collected = await collect([{ sitemap: at("/sitemap.xml") }]);
    const found = documentsOf(collected).map(
      ({ title, url, passages }) => `${title} ${url} ${passages[0]!.body}`,
    );
    expect(found.toSorted()).toEqual([`A ${at("/a")} text of a`, `B ${at("/b")} text of b`]);
  });

  test("are asked for with conditions, and read only where they changed", async () => {
    pages = {
      "/sitemap.xml": sitemap("/a", "/b", "/c"),
      "/a": page("A", "a"),
      "/b": page("B", "b"),
      "/c": page("C", "c"),
    };
    const source = { sitemap: at("/sitemap.xml") };
    const known = knownAfter(await collect([source]));
    expect(conditions).toBe(0);
    pages["/b"] = page("B", "changed");
    pages["/c"] = { status: 404 };
    const again = await collect([source], known);
    expect(conditions).toBe(2);
    expect(placesOf(again)).toEqual([at("/b")]);
    expect(again.sources[0]!.unchanged).toHaveLength(1);
    expect(skippedOf(again)).toEqual([`${at("/c")} is not there (status 404)`]);
    expect(again.removed).toEqual(known.filter(({ place }) => place === at("/c")).map(({ id }) => id));
  });

  test("that fail keep what they had; a page that robots.txt denies goes", async () => {
    pages = { "/sitemap.xml": sitemap("/a", "/b"), "/a": page("A", "a"), "/b": page("B", "b") };
    const source = { sitemap: at("/sitemap.xml") };
    const known = knownAfter(await collect([source]));
    pages["/a"] = { status: 502 };
    pages["/robots.txt"] = "User-agent: *\nDisallow: /b";
    const again = await collect([source], known);
    expect(skippedOf(again).toSorted()).toEqual([
      `${at("/a")} the server answered with status 502 (kept)`,
      `${at("/b")} the robots.txt of http://help.test:${site.port} does not allow it`,
    ]);
    expect(again.removed).toEqual(known.filter(({ place }) => place === at("/b")).map(({ id }) => id));
  });

  test("of a sitemap that cannot be read stay as they were", async () => {
    pages = { "/sitemap.xml": sitemap("/a"), "/a": page("A", "a") };
    const source = { sitemap: at("/sitemap.xml") };
    const known = knownAfter(await collect([source]));
    pages["/sitemap.xml"] = { status: 500 };
    const again = await collect([source], known);
    expect(again).toMatchObject({
      removed: [],
      sources: [{ unreadable: "the server answered with status 500" }],
    });
  });

  test("that one source names are none the less there where another one may not have them", async () => {
    const other = at("/a").replace("help.test", "other.test");
    pages = { "/sitemap.xml": sitemap("/b").replace("<urlset>", `<urlset><url><loc>${other}</loc></url>`) };
    pages = { ...pages, "/a": page("A", "a"), "/b": page("B", "b") };
    const sources = [other, { sitemap: at("/sitemap.xml") }];
    const known = knownAfter(await collect(sources));
    expect(known.map(({ place }) => place)).toEqual([other, at("/b")]);
    expect((await collect(sources, known)).removed).toEqual([]);
  });

  test("may be named one by one; one that is gone keeps what it had", async () => {
    pages = { "/faq": page("FAQ", "text") };
    const known = knownAfter(await collect([at("/faq")]));
    expect(known).toMatchObject([{ place: at("/faq") }]);
    pages = {};
    const again = await collect([at("/faq")], known);
    expect(again).toMatchObject({
      removed: [],
      sources: [{ unreadable: "is not there (status 404)", skipped: [] }],
    });
  });
});
