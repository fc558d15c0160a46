import type { TextScan } from "../../domain/decision.ts";

/** Limits the work for a message of commas only; 64 seams give up to 190 stretches. */
const MOST_SEAMS = 64;

/** Positions where a clause may begin or end, in order: line breaks, and both sides of signs and joints. */
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
 * The stretches defined by the seams: between adjacent seams, from the start to each seam, and from each seam to the end. Never the whole
 * message, and never only signs and joints.
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
