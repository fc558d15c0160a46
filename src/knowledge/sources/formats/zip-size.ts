import { inflateRawSync } from "node:zlib";

import { UnreadableError } from "../document.ts";

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const END_LENGTH = 22;
/** What a comment at the end of the file may have. */
const MAX_COMMENT = 65_535;
const DEFLATED = 8;

/**
 * Refuses a ZIP archive whose parts unpack to more than `most` bytes, by unpacking them up to there: the sizes that an archive states may
 * be wrong. Parts that `isRead` denies count nothing.
 *
 * @throws UnreadableError when it is larger, encrypted, or no archive
 */
export function checkUnpackedSize(
  bytes: Uint8Array,
  { most, isRead }: { most: number; isRead: (name: string) => boolean },
): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = most;
  for (const entry of entriesOf(file)) {
    if (!isRead(entry.name)) continue;
    left -= unpackedSize(file, entry, left);
    if (left < 0) tooLarge(most);
  }
}

function tooLarge(most: number): never {
  throw new UnreadableError(`unpacks to more than ${Math.round(most / 1e6)} MB`);
}

interface Entry {
  name: string;
  method: number;
  packedSize: number;
  offset: number;
}

function* entriesOf(file: Buffer): Generator<Entry> {
  const end = file.lastIndexOf(Buffer.from("PK\x05\x06"));
  if (end < 0 || end < file.length - END_LENGTH - MAX_COMMENT || file.readUInt32LE(end) !== END_OF_DIRECTORY)
    throw new UnreadableError("is damaged: its end is missing");
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  for (let index = 0; index < count; index++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new UnreadableError("is damaged: its list of parts is broken");
    if ((file.readUInt16LE(at + 8) & 1) === 1) throw new UnreadableError("is protected by a password");
    const nameLength = file.readUInt16LE(at + 28);
    yield {
      name: file.toString("utf8", at + 46, at + 46 + nameLength),
      method: file.readUInt16LE(at + 10),
      packedSize: file.readUInt32LE(at + 20),
      offset: file.readUInt32LE(at + 42),
    };
    at += 46 + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
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
