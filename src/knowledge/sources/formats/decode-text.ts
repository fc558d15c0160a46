import { UnreadableError } from "../document.ts";

/**
 * Decodes a file by its byte order mark, by the charset that it names, as UTF-8, or else as Windows-1252, which includes Latin-1 and maps every
 * byte to a character.
 *
 * @throws UnreadableError if the bytes are no text
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const text = decoderFor(bytes, charset)(bytes);
  if (text.includes("\0"))
    throw new UnreadableError(
      "is not text; UTF-16 is read only where the file begins with a byte order mark",
    );
  return text.replaceAll("\r\n", "\n").replaceAll("\r", "\n");
}

type Decode = (bytes: Uint8Array) => string;

function decoderFor(bytes: Uint8Array, charset: string | undefined): Decode {
  const marked = MARKS.find(({ mark }) => mark.every((byte, at) => bytes[at] === byte));
  if (marked !== undefined) return (all) => new TextDecoder(marked.charset).decode(all);
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) return (all) => decodeAs(charset, all);
  return decodeUtf8OrLatin;
}

/** Byte order marks; a decoder removes its own. */
const MARKS = [
  { mark: [0xef, 0xbb, 0xbf], charset: "utf-8" },
  { mark: [0xff, 0xfe], charset: "utf-16le" },
  { mark: [0xfe, 0xff], charset: "utf-16be" },
] as const;

function decodeAs(charset: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UnreadableError(`is in the charset \`${charset}\`, which is not known here; save it as UTF-8`);
  }
}

function decodeUtf8OrLatin(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** A page must name its charset within so many bytes (HTML standard, 4.2.5.4). */
const PRESCAN_BYTES = 1024;

/** The charset that an HTML page names in its head. */
export function htmlCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.subarray(0, PRESCAN_BYTES)).toString("latin1");
  return /<meta[^>]+charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(head)?.[1];
}
