/** Places in a block. As most words are rare, larger blocks take less room, and smaller ones are faster to change (docs/decisions.md). */
export const BLOCK_PLACES = 2048;
const BITMAP_BYTES = BLOCK_PLACES / 8;
const MAX_LISTED = BITMAP_BYTES / 2;

/** The places of a block that hold something, one bit each. */
export type Bitmap = Uint8Array;

export const blockOf = (place: number): number => Math.floor(place / BLOCK_PLACES);
export const offsetOf = (place: number): number => place % BLOCK_PLACES;

export function emptyBitmap(): Bitmap {
  return new Uint8Array(BITMAP_BYTES);
}

export function setBit(places: Bitmap, offset: number): void {
  places[offset >> 3]! |= 1 << (offset & 7);
}

export function hasBit(places: Bitmap, offset: number): boolean {
  return (places[offset >> 3]! & (1 << (offset & 7))) !== 0;
}

export function unite(places: Bitmap, others: Bitmap): void {
  for (let i = 0; i < BITMAP_BYTES; i++) places[i]! |= others[i]!;
}

export function intersect(places: Bitmap, others: Bitmap): void {
  for (let i = 0; i < BITMAP_BYTES; i++) places[i]! &= others[i]!;
}

export function subtract(places: Bitmap, others: Bitmap): void {
  for (let i = 0; i < BITMAP_BYTES; i++) places[i]! &= ~others[i]!;
}

/** Whether the two sets have a common place. */
export function intersects(places: Bitmap, others: Bitmap): boolean {
  return places.some((byte, i) => (byte & others[i]!) !== 0);
}

/** The places in the set, the last first. */
export function listBits(places: Bitmap): number[] {
  const offsets: number[] = [];
  for (let i = BITMAP_BYTES - 1; i >= 0; i--) {
    for (let bit = 7; places[i] !== 0 && bit >= 0; bit--) {
      if ((places[i]! & (1 << bit)) !== 0) offsets.push(i * 8 + bit);
    }
  }
  return offsets;
}

/** The stored form: 16-bit numbers while places are few, otherwise the bits. */
export function packBitmap(places: Bitmap): Uint8Array {
  const offsets = listBits(places);
  if (offsets.length >= MAX_LISTED) return places;
  const packed = new DataView(new ArrayBuffer(offsets.length * 2));
  for (const [i, offset] of offsets.entries()) packed.setUint16(i * 2, offset, true);
  return new Uint8Array(packed.buffer);
}

/** A copy that the caller may change. */
export function unpackBitmap(packed: Uint8Array): Bitmap {
  if (packed.byteLength === BITMAP_BYTES) return new Uint8Array(packed);
  const places = emptyBitmap();
  for (let i = 0; i < packed.byteLength; i += 2) setBit(places, packed[i]! | (packed[i + 1]! << 8));
  return places;
}
