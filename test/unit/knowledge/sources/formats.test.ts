import { describe, expect, test } from "bun:test";

import { UnreadableError } from "../../../../src/knowledge/sources/document.ts";
import { decodeText } from "../../../../src/knowledge/sources/formats/decode-text.ts";
import { type Format, formatOfBody, formatOfFile } from "../../../../src/knowledge/sources/formats/format.ts";
import { readFrontMatter } from "../../../../src/knowledge/sources/formats/markdown.ts";
import { parseCsv } from "../../../../src/knowledge/sources/formats/pairs.ts";
import { parseDocument } from "../../../../src/knowledge/sources/formats/parse-document.ts";
import { DOCUMENT_LIMITS, type DocumentLimits } from "../../../../src/knowledge/sources/limits.ts";
import { docxOf, docxParts, pdfBomb, pdfOf, writePdf, zipOf } from "../../../support/documents.ts";

interface Given {
  limits?: Partial<DocumentLimits>;
  charset?: string;
}

function parse(format: Format, content: string | Uint8Array, { limits = {}, charset }: Given = {}) {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return parseDocument({
    format,
    bytes,
    limits: { ...DOCUMENT_LIMITS, ...limits },
    ...(charset !== undefined && { charset }),
  });
}

describe("the title", () => {
  test.each<[Format, string, string | undefined]>([
    ["markdown", "---\ntitle: 'Own title'\n---\n# Heading\n\ntext", "Own title"],
    ["markdown", "# Heading\n\ntext", "Heading"],
    ["markdown", "text\n", undefined],
    ["html", "<title>Page</title><h1>Heading</h1>text", "Page"],
    ["html", "<title>Heading | Acme Help</title><h1>Heading</h1>text", "Heading"],
    ["html", "<title>Acme – Heading</title><h1>Heading</h1>text", "Heading"],
    ["html", "<title>HEADING - Acme</title><h1>Heading</h1>text", "Heading"],
    ["html", "<title>Heading for all</title><h1>Heading</h1>text", "Heading for all"],
    ["csv", "q,a\nWhy?,Because.", undefined],
    ["text", "text", undefined],
  ])("of %s: %j", async (format, content, title) => {
    expect((await parse(format, content)).title).toBe(title);
  });

  test("stands in no passage's headings", async () => {
    const { passages } = await parse("markdown", "# Returns\n\na\n\n## How\n\nb\n\n# Other\n\nc");
    expect(passages.map(({ headingPath }) => headingPath)).toEqual([[], ["How"], ["Other"]]);
  });
});

describe("front matter", () => {
  test("gives title and address, and is no text", async () => {
    const text =
      '---\nlayout: page\ntitle: "Returns: how?"\nurl: https://a.example/returns\n---\n\nSend it back.\n';
    expect(readFrontMatter(text)).toEqual({
      title: "Returns: how?",
      url: "https://a.example/returns",
      body: "\nSend it back.\n",
    });
    expect(await parse("markdown", text)).toEqual({
      title: "Returns: how?",
      url: "https://a.example/returns",
      passages: [{ headingPath: [], body: "Send it back." }],
    });
  });

  test.each(["text", "a\n---\ntitle: b\n---\n", "---\ntitle: b\n"])("is not in %j", (text) => {
    expect(readFrontMatter(text)).toEqual({ body: text });
  });
});

describe("text", () => {
  test.each<[string, Uint8Array, string | undefined]>([
    ["UTF-8", Buffer.from("Größe"), undefined],
    ["UTF-8 with a mark", Buffer.from("\uFEFFGröße"), undefined],
    ["UTF-16, little end first", Buffer.from("\uFEFFGröße", "utf16le"), undefined],
    ["UTF-16, big end first", Buffer.from("\uFEFFGröße", "utf16le").swap16(), undefined],
    ["Latin-1", Buffer.from("Größe", "latin1"), undefined],
    ["a charset that is named", Buffer.from("Größe", "latin1"), "iso-8859-1"],
    ["UTF-8, as named", Buffer.from("Größe"), "UTF-8"],
  ])("is read in %s", (_name, bytes, charset) => expect(decodeText(bytes, charset)).toBe("Größe"));

  test("is not what holds NUL", () => {
    expect(() => decodeText(Buffer.from("Größe", "utf16le"))).toThrow("is not text; UTF-16 is read only");
    expect(() => decodeText(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1]))).toThrow(UnreadableError);
  });

  test("in an unknown charset is refused", async () => {
    await expect(parse("html", "<meta charset=x-klingon>text")).rejects.toThrow(
      "is in the charset `x-klingon`",
    );
  });

  test("of a page is in the charset that it names", async () => {
    const page = Buffer.from(
      '<meta http-equiv=c content="text/html; charset=windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2',
      "latin1",
    );
    expect((await parse("html", page)).passages[0]!.body).toBe("Привет");
  });

  test("has paragraphs between blank lines, and lists", async () => {
    const { passages } = await parse("text", "One\ngoes on.\r\n\r\n* a\n* b\n  still b\n\n2) c\n");
    expect(passages.map(({ body }) => body)).toEqual(["One goes on.\n\n- a\n- b still b\n\n2) c"]);
  });
});

describe("CSV", () => {
  test.each([
    [
      'a,b\n"c, ""d""","e\nf"\n',
      [
        ["a", "b"],
        ['c, "d"', "e\nf"],
      ],
    ],
    [
      'a;"b,c"\nd;e',
      [
        ["a", "b,c"],
        ["d", "e"],
      ],
    ],
    [
      "a\tb\n\n  \t\nc\t",
      [
        ["a", "b"],
        ["c", ""],
      ],
    ],
    ["", []],
  ])("%j", (text, rows) => expect(parseCsv(text)).toEqual(rows));

  test("with a quote that is never closed names the line", () => {
    expect(() => parseCsv('a,b\nc,"d\ne')).toThrow("has a quote in line 2 that is never closed");
  });

  test.each<[Format, string]>([
    ["csv", "id,Answer,Question\n1,Free.,What does it cost?\n"],
    ["csv", "q;a\nWhat does it cost?;Free.\n"],
    ["csv", "What does it cost?,Free.\n,nothing\nnothing,\n"],
    ["json", '[{"question": "What does it cost?", "answer": "Free."}, {"question": "none"}, 7]'],
    ["json", '{"What does it cost?": "Free."}'],
    ["jsonl", '{"q": "What does it cost?", "a": "Free."}\n\n'],
  ])("and JSON give a passage for each question: %s %j", async (format, content) => {
    expect((await parse(format, content)).passages).toEqual([
      { headingPath: ["What does it cost?"], body: "Free." },
    ]);
  });

  test("may have answers in HTML, of which the text is left", async () => {
    const csv =
      'q,a\nHow?,"<p>Like <b>this</b> &amp; that:</p><ul><li>one</li><li>two</li></ul><script>n</script>"\nIf 1 < 2?,a < b';
    expect((await parse("csv", csv)).passages).toEqual([
      { headingPath: ["How?"], body: "Like this & that:\n\n- one\n- two" },
      { headingPath: ["If 1 < 2?"], body: "a < b" },
    ]);
  });

  test("with a cell of a megabyte is cut", async () => {
    const { passages } = await parse("csv", `question,answer\nWhy?,"${"So it is. ".repeat(100_000)}"`);
    expect(passages.length).toBeGreaterThan(1000);
    expect(Math.max(...passages.map(({ body }) => body.length))).toBeLessThan(2000);
  });

  test.each<[Format, string, string]>([
    ["csv", "question,answer\n", "holds no pair of a question and an answer"],
    ["json", '{"name": {}}', "holds no pair of a question and an answer"],
    ["json", "[1,", "is not valid JSON: "],
    ["jsonl", '{"q":"a","a":"b"}\n{', "is not valid JSON in line 2: "],
  ])("and JSON without pairs are refused: %s %j", async (format, content, reason) => {
    await expect(parse(format, content)).rejects.toThrow(reason);
  });
});

describe("a PDF", () => {
  const line = (text: string, y: number, height?: number) => ({
    text,
    y,
    ...(height !== undefined && { height }),
  });

  test("has headings in large letters, paragraphs between gaps, and its pages as anchors", async () => {
    const pdf = pdfOf([
      [
        line("Returns", 700, 20),
        line("You can send it back with-", 660),
        line("in sixty days.", 648),
        line("Refunds follow.", 610),
      ],
      [
        line("\\267 tents", 700),
        line("\\267 boots", 688),
        line("1. Pack it.", 650),
        line("Sizes", 600, 14),
        line("See below.", 570),
      ],
    ]);
    expect(await parse("pdf", pdf)).toEqual({
      title: "Returns",
      passages: [
        {
          headingPath: [],
          anchor: "page=1",
          body: "You can send it back within sixty days.\n\nRefunds follow.",
        },
        { headingPath: [], anchor: "page=2", body: "- tents\n- boots\n1. Pack it." },
        { headingPath: ["Sizes"], anchor: "page=2", body: "See below." },
      ],
    });
  });

  test.each([
    ["Care of tents", "Care of tents"],
    ["Microsoft Word - care.docx", "Tents"],
    ["care_final.indd", "Tents"],
    ["Untitled", "Tents"],
  ])("is called as it says, if that is a title: %s", async (title, expected) => {
    const pdf = pdfOf([[line("Tents", 700, 20), line("Dry them.", 600)]], { title });
    expect((await parse("pdf", pdf)).title).toBe(expected);
  });

  test("loses its table of contents", async () => {
    const pdf = pdfOf([
      [line("Care . . . . . . . . . . 5", 700), line("Repairs ........ iv", 680), line("Dry it ...", 500)],
    ]);
    expect((await parse("pdf", pdf)).passages.map(({ body }) => body)).toEqual(["Dry it ..."]);
  });

  test("loses its running titles and page numbers", async () => {
    const pages = [1, 2, 3, 4].map((page) => [
      line("Acme Manual", 780),
      line(`Text of page ${"abcd"[page]}`, 500),
      line(`Page ${page} of 4`, 20),
    ]);
    const { passages } = await parse("pdf", pdfOf(pages));
    expect(passages.map(({ body }) => body)).toEqual([
      "Text of page b",
      "Text of page c",
      "Text of page d",
      "Text of page undefined",
    ]);
  });

  test.each([
    ["file:///home/ann/care.html 1/2", "11/23/26, 10:06 AM Care of bikes"],
    ["https://help.example/care 1/2", "23.11.2026, 10:06 Care of bikes"],
    ["Page 1/2", "2026-11-23 10:06"],
    ["Seite 1 von 2", "23.11.26, 10:06"],
    ["1 / 2", "Care of bikes file:///home/ann/care.html"],
  ])("loses what a browser prints below and above a page, as %p and %p", async (foot, head) => {
    const texts = ["Charge it.", "Open 24/7.", "It is there"];
    const page = [
      ...texts.map((text, index) => line(text, 700 - 100 * index)),
      line(head, 770),
      line(foot, 17),
    ];
    const { passages } = await parse("pdf", pdfOf([page, [line("The rest.", 700)]]));
    expect(passages.map(({ body }) => body).join("\n\n")).toBe(`${texts.join("\n\n")}\n\nThe rest.`);
  });

  test.each(["24/7", "https://help.example/care", "11/23/26, 10:06 AM The meeting", "Page 2 of 2"])(
    "keeps %p at the end of a page, which no browser printed there",
    async (text) => {
      const { passages } = await parse(
        "pdf",
        pdfOf([[line("Charge it.", 700), line(text, 600)], [line("The rest.", 700)]]),
      );
      expect(passages.map(({ body }) => body).join("\n\n")).toBe(`Charge it.\n\n${text}\n\nThe rest.`);
    },
  );

  test.each([
    ["was scanned", pdfOf([[], []]), "has no text, only pictures: it was scanned"],
    ["has too many pages", pdfOf(Array.from({ length: 11 }, () => [])), "has 11 pages; at most 10 are read"],
    [
      "contains itself",
      writePdf(["<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [2 0 R] /Count 9 >>"]),
      "circular",
    ],
    ["is none", Buffer.from("%PDF-1.4 nothing"), "is not a readable PDF (Invalid PDF structure)"],
    ["unpacks to too much text", pdfBomb(50_000), "has more than 10000 characters of text"],
    [
      "is protected",
      writePdf(
        [
          "<< /Type /Catalog /Pages 2 0 R >>",
          "<< /Type /Pages /Kids [] /Count 0 >>",
          `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${"00".repeat(32)}> /U <${"00".repeat(32)}> >>`,
        ],
        `/Encrypt 3 0 R /ID [<${"00".repeat(16)}> <${"00".repeat(16)}>]`,
      ),
      "is protected by a password",
    ],
  ])("that %s is refused", async (_name, pdf, reason) => {
    await expect(parse("pdf", pdf, { limits: { pages: 10, characters: 10_000 } })).rejects.toThrow(reason);
  });
});

describe("a Word document", () => {
  test("has its title, headings and paragraphs", async () => {
    const docx = docxOf([
      ["Title", "Warranty"],
      ["heading 1", "Repairs"],
      ["Normal", "We repair almost anything."],
    ]);
    expect(await parse("docx", docx)).toEqual({
      title: "Warranty",
      passages: [{ headingPath: ["Repairs"], body: "We repair almost anything." }],
    });
  });

  const bomb = { ...docxParts([["Normal", "x"]]), "word/document.xml": "x".repeat(3_000_000) };

  /** The same, its main part called by a name of its own. */
  function mainPartOf(parts: Readonly<Record<string, string>>, name: string): Record<string, string> {
    const { "word/document.xml": main, "_rels/.rels": rels, ...rest } = parts;
    return { ...rest, "_rels/.rels": rels!.replace("word/document.xml", name), [name]: main! };
  }

  /** An archive whose last record says something else. */
  function ending(zip: Uint8Array, { count, disk = 0 }: { count?: number; disk?: number }): Uint8Array {
    const file = Buffer.from(zip);
    const end = file.length - 22;
    file.writeUInt16LE(disk, end + 4);
    if (count !== undefined) file.writeUInt16LE(count, end + 10);
    return file;
  }

  /** An archive with two lists: the one of its last record, and one that readers which look for it find right before that. */
  function withOtherDirectory(zip: Uint8Array): Uint8Array {
    const harmless = Buffer.from(zipOf({ "a.xml": "x" }));
    const listAt = harmless.readUInt32LE(harmless.length - 6);
    const file = Buffer.concat([harmless.subarray(0, harmless.length - 22), zip]);
    const end = file.length - 22;
    file.writeUInt16LE(1, end + 10);
    file.writeUInt32LE(listAt, end + 16);
    return file;
  }

  test.each([
    ["unpacks to too much", zipOf(bomb), "unpacks to more than 1 MB"],
    [
      "lies about its size",
      zipOf(bomb, { claims: { "word/document.xml": 10 } }),
      "unpacks to more than 1 MB",
    ],
    [
      "has many parts that do",
      zipOf(Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at}.xml`, "x".repeat(50_000)]))),
      "unpacks to more than 1 MB",
    ],
    [
      "has a main part of another name",
      zipOf(mainPartOf(bomb, "word/document.bin")),
      "unpacks to more than 1 MB",
    ],
    [
      "has a main part named as a picture",
      zipOf(mainPartOf(bomb, "word/a.png")),
      "unpacks to more than 1 MB",
    ],
    ["lists more parts than it counts", ending(zipOf(bomb), { count: 0 }), "is damaged"],
    ["lists its parts a second time", withOtherDirectory(zipOf(bomb)), "is damaged"],
    ["sends the reader to another list", ending(zipOf(bomb), { disk: 0xffff }), "is damaged"],
    ["is encrypted as an archive", zipOf(bomb, { encrypted: true }), "is protected by a password"],
    [
      "is encrypted by Word",
      Buffer.from("d0cf11e0a1b11ae1", "hex"),
      "is protected by a password, or a `.doc`",
    ],
    ["is cut off", docxOf([["Normal", "x"]]).subarray(0, 300), "is damaged: its end is missing"],
    ["is another archive", zipOf({ "a.txt": "text" }), "is no Word document"],
    ["is no archive", Buffer.from("text"), "is damaged"],
  ])("that %s is refused", async (_name, docx, reason) => {
    await expect(parse("docx", docx, { limits: { unpackedBytes: 1_000_000 } })).rejects.toThrow(reason);
  });
});

test.each<[Format, string | Uint8Array, string]>([
  ["markdown", "", "is empty"],
  ["markdown", "---\ntitle: a\n---\n", "has no text"],
  ["html", "<div id=app></div><script>render()</script>", "put together by JavaScript"],
  ["text", "word ".repeat(30), "is larger than 0 MB"],
])("a document without text, or too large, is refused: %s %#", async (format, content, reason) => {
  await expect(parse(format, content, { limits: { bytes: 100 } })).rejects.toThrow(reason);
});

test("the form of a document is known by its name, or by what its server says", () => {
  expect(["a.MD", "b.tar.pdf", "c.htm", "d.png", "e"].map(formatOfFile)).toEqual([
    "markdown",
    "pdf",
    "html",
    undefined,
    undefined,
  ]);
  expect(formatOfBody("text/html; charset=utf-8", "/a")).toBe("html");
  expect(formatOfBody("text/plain", "/a.md")).toBe("markdown");
  expect(formatOfBody("image/png", "/a.html")).toBeUndefined();
});
