import { pipeline, Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from "node:zlib";

/** None is asked for; some servers and proxies use one all the same. */
const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", () => createGunzip()],
  ["x-gzip", () => createGunzip()],
  ["deflate", () => createInflate()],
  ["br", () => createBrotliDecompress()],
  ["zstd", () => createZstdDecompress()],
]);

/**
 * Decodes bytes as far as they are read; when the reader stops, decoding stops.
 *
 * @throws Error when the bytes break off, are not of that encoding, or the encoding is unknown.
 */
export function decoded(
  bytes: AsyncIterable<Uint8Array>,
  encoding: string | null,
): AsyncIterable<Uint8Array> {
  const name = (encoding ?? "identity").trim().toLowerCase();
  if (name === "identity" || name === "") return bytes;
  const createDecoder = DECODERS.get(name);
  if (!createDecoder) throw new Error(`the content encoding ${name} is unknown`);
  const decoder = createDecoder();
  // Errors of both streams are thrown where the decoder is read.
  pipeline(Readable.from(bytes, { objectMode: false }), decoder, () => {});
  return decoder;
}
