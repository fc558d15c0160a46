import { inflateRawSync } from "node:zlib";

import mammoth from "mammoth";

import { type Section, UnreadableError } from "../document.ts";
import type { DocumentLimits } from "../limits.ts";
import { readHtml } from "./html.ts";

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => p:fresh"];

/** Reads a Word document, converted to HTML without its pictures. */
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

/** The container of old Office files, and of encrypted new ones. */
function isCompoundFile(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).equals(Buffer.from([0xd0, 0xcf, 0x11, 0xe0]));
}

const DIRECTORY_ENTRY = 0x02014b50;
const END_LENGTH = 22;
/** Maximum length of the comment at the end of a ZIP file. */
const MAX_COMMENT = 65_535;
const DEFLATED = 8;

/**
 * Refuses a ZIP archive whose parts decompress to more than `most` bytes. The sizes stated in an archive may be wrong, so the parts are
 * decompressed up to the limit. All parts count, because a document itself names the part with its text.
 *
 * @throws UnreadableError if it is larger, encrypted, or no archive
 */
function checkUnpackedSize(bytes: Uint8Array, most: number): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = most;
  for (const entry of entriesOf(file)) {
    left -= unpackedSize(file, entry, left);
    if (left < 0) tooLarge(most);
  }
}

function tooLarge(most: number): never {
  throw new UnreadableError(`unpacks to more than ${Math.round(most / 1e6)} MB`);
}

interface Entry {
  method: number;
  packedSize: number;
  offset: number;
}

/** The parts of an archive. Archives in which readers could find different parts are refused. */
function* entriesOf(file: Buffer): Generator<Entry> {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06"));
  if (end < 0 || end < file.length - END_LENGTH - MAX_COMMENT || end + END_LENGTH > file.length)
    throw new UnreadableError("is damaged: its end is missing");
  const count = file.readUInt16LE(end + 10);
  const length = file.readUInt32LE(end + 12);
  let at = file.readUInt32LE(end + 16);
  // Several disks, or sizes beyond 4 GB, refer readers to another list; so does an archive that does not end with this record.
  const isPlain = file.readUInt32LE(end + 4) === 0 && file.readUInt16LE(end + 8) === count && count < 0xffff;
  if (!isPlain || at + length !== end) brokenList();
  for (let index = 0; index < count; index++) {
    if (at + 46 > end || file.readUInt32LE(at) !== DIRECTORY_ENTRY) brokenList();
    if ((file.readUInt16LE(at + 8) & 1) === 1) throw new UnreadableError("is protected by a password");
    yield {
      method: file.readUInt16LE(at + 10),
      packedSize: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
    };
    at += 46 + file.readUInt16LE(at + 28) + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  if (at !== end) brokenList();
}

function brokenList(): never {
  throw new UnreadableError("is damaged: its list of parts is broken");
}

function unpackedSize(file: Buffer, { method, packedSize, offset }: Entry, most: number): number {
  if (method !== DEFLATED) return packedSize;
  if (offset + 30 > file.length) throw new UnreadableError("is damaged: a part of it is missing");
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28);
  try {
    return inflateRawSync(file.subarray(start, start + packedSize), { maxOutputLength: Math.max(1, most) })
      .length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") return most + 1;
    throw new UnreadableError("is damaged: a part of it cannot be unpacked");
  }
}
