/**
 * The bytes up to their end, or somewhat more than `most` where there are more: whoever sees that has to refuse them. The rest is not
 * read.
 */
export async function readAtMost(bytes: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length > most) break;
  }
  return Buffer.concat(chunks);
}
