import type { TextScan } from "../../domain/decision.ts";

/** Bounds the work for a message of nothing but commas; 64 seams make up to 190 stretches. */
const MOST_SEAMS = 64;

/** Places where a clause may begin or end, in order: line ends, and both sides of signs and joints. */
function seamsOf(scan: TextScan): number[] {
  const { length } = scan;
  const seams = [0];
  const add = (place: number): void => {
    if (seams[seams.length - 1] !== place) seams.push(place);
  };
  for (let i = 0; i < length && seams.length < MOST_SEAMS; i++) {
    if (scan.startsLine(i)) add(i);
    const isJoint = i > 0 && i < length - 1 && scan.isJoint(i);
    if (!isJoint && !scan.isSign(i)) continue;
    add(i);
    add(i + 1);
  }
  add(length);
  return seams;
}

function isScrap(scan: TextScan, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!scan.isSign(i) && !scan.isJoint(i)) return false;
  return true;
}

/**
 * The stretches that the seams of a message mark: between each two neighbouring seams, from the beginning to each seam, and from each
 * seam to the end. Never the whole message, never signs and joints alone.
 */
export function stretchesBetweenSeams(scan: TextScan): [from: number, to: number][] {
  const seams = seamsOf(scan);
  const stretches: [number, number][] = [];
  const add = (from: number, to: number): void => {
    if (to - from < scan.length && !isScrap(scan, from, to)) stretches.push([from, to]);
  };
  for (let i = 0; i + 1 < seams.length; i++) {
    add(seams[i]!, seams[i + 1]!);
    if (i === 0) continue;
    add(0, seams[i]!);
    add(seams[i]!, scan.length);
  }
  return stretches;
}
