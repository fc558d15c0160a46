import { crc32, deflateRawSync, deflateSync } from "node:zlib";

/** A line of a page: its text, the height of its letters, and its position above the page's bottom. */
export interface PageLine {
  text: string;
  height?: number;
  y: number;
}

/** A PDF with one font; a page without lines has no text, like a scan. */
export function pdfOf(
  pages: readonly (readonly PageLine[])[],
  { title }: { title?: string } = {},
): Uint8Array {
  const ids = pages.map((_, index) => 4 + index * 2);
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${ids.map((id) => `${id} 0 R`).join(" ")}] /Count ${pages.length} >>`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      streamOf(
        lines.map(({ text, height = 10, y }) => `BT /F1 ${height} Tf 50 ${y} Td (${text}) Tj ET`).join("\n"),
      ),
    ]),
    ...(title === undefined ? [] : [`<< /Title (${title}) >>`]),
  ];
  return writePdf(objects, title === undefined ? "" : `/Info ${objects.length} 0 R`);
}

/** A small compressed PDF whose one page repeats a letter many times. */
export function pdfBomb(times: number): Uint8Array {
  const packed = deflateSync(Buffer.alloc(times * LETTER.length, LETTER));
  return writePdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >> /Contents 5 0 R >>",
    `<< /Filter /FlateDecode /Length ${packed.length} >>\nstream\n${packed.toString("latin1")}\nendstream`,
  ]);
}

const LETTER = "BT /F1 9 Tf 9 9 Td (a) Tj ET\n";

function streamOf(text: string): string {
  return `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;
}

export function writePdf(objects: readonly string[], trailer = ""): Uint8Array {
  let text = "%PDF-1.4\n";
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    offsets.push(text.length);
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const start = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, "latin1");
}

/** A ZIP archive; `claims` are false decompressed sizes that it states. */
export function zipOf(
  parts: Readonly<Record<string, string | Uint8Array>>,
  { claims = {}, encrypted = false }: { claims?: Record<string, number>; encrypted?: boolean } = {},
): Uint8Array {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(encrypted ? 1 : 0, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(claims[name] ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00"), common, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(directory.length, 8);
  end.writeUInt16LE(directory.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, listed, end]);
}

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

/** The parts of a Word document with paragraphs `[style, text]`. */
export function docxParts(paragraphs: readonly (readonly [string, string])[]): Record<string, string> {
  const body = paragraphs
    .map(
      ([style, text]) =>
        `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`,
    )
    .join("");
  const styles = [...new Set(paragraphs.map(([style]) => style))]
    .map((style) => `<w:style w:type="paragraph" w:styleId="${style}"><w:name w:val="${style}"/></w:style>`)
    .join("");
  const relationship = (type: string, target: string) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`;
  return {
    "[Content_Types].xml":
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    "_rels/.rels": relationship("officeDocument", "word/document.xml"),
    "word/_rels/document.xml.rels": relationship("styles", "styles.xml"),
    "word/styles.xml": `<w:styles ${WORD}>${styles}</w:styles>`,
    "word/document.xml": `<w:document ${WORD}><w:body>${body}</w:body></w:document>`,
  };
}

export function docxOf(paragraphs: readonly (readonly [string, string])[]): Uint8Array {
  return zipOf(docxParts(paragraphs));
}
