import mammoth from "mammoth";

import { type Section, UnreadableError } from "../document.ts";
import type { DocumentLimits } from "../limits.ts";
import { readHtml } from "./html.ts";
import { checkUnpackedSize } from "./zip-size.ts";

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

/** Reads a Word document, by way of HTML: its pictures are left out. */
export async function readDocx(bytes: Uint8Array, limits: DocumentLimits): Promise<Section[]> {
  if (isCompoundFile(bytes))
    throw new UnreadableError("is protected by a password, or a `.doc`; save it as a plain `.docx`");
  checkUnpackedSize(bytes, limits.unpackedBytes);
  const { value } = await convert(bytes);
  return readHtml(value, limits).sections;
}

async function convert(bytes: Uint8Array): Promise<{ value: string }> {
  try {
    return await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      {
        styleMap: STYLES,
        includeEmbeddedStyleMap: false,
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
      },
    );
  } catch (error) {
    throw new UnreadableError(
      `is no Word document: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** The form of old Office files, and of new ones that are encrypted. */
function isCompoundFile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]));
}
