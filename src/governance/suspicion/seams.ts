import type { TextScan } from "../../domain/decision.ts";
import { JOINTS } from "../../text/joints.ts";

/** Bounds the work for a message of nothing but commas; 64 seams make up to 190 stretches. */
const MOST_SEAMS = 64;

/** Places where a clause may begin or end: line ends, and both sides of signs and joints. */
function seamsOf(scan: TextScan): number[] {
  const seams = new Set([0]);
  for (let i = 0; i < scan.length && seams.size < MOST_SEAMS; i++) {
    if (scan.startsLine(i)) seams.add(i);
    const isJoint = i > 0 && i < scan.length - 1 && JOINTS.has(scan.unit(i));
    if (scan.isSign(i) || isJoint) seams.add(i).add(i + 1);
  }
  return [...seams.add(scan.length)];
}

function isScrap(scan: TextScan, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (!scan.isSign(i) && !JOINTS.has(scan.unit(i))) return false;
  return true;
}

/**
 * The stretches that the seams of a message mark: between each two neighbouring seams, from the beginning to each seam, and from each
 * seam to the end. Never the whole message, never signs and joints alone.
 */
export function stretchesBetweenSeams(scan: TextScan): [from: number, to: number][] {
  const seams = seamsOf(scan);
  const stretches: [number, number][] = [];
  for (let i = 0; i + 1 < seams.length; i++) {
    stretches.push([seams[i]!, seams[i + 1]!]);
    if (i > 0) stretches.push([0, seams[i]!], [seams[i]!, scan.length]);
  }
  return stretches.filter(([from, to]) => to - from < scan.length && !isScrap(scan, from, to));
}
