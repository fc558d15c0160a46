import type { TextScan } from "../../domain/decision.ts";
import { JOINTS } from "./joints.ts";

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

/** Stretches between two seams of a message: each one, and all before and after a seam; never the whole, never signs alone. */
export function stretchesBetweenSeams(scan: TextScan): [from: number, to: number][] {
  const seams = seamsOf(scan);
  const stretches: [number, number][] = [];
  for (let i = 0; i + 1 < seams.length; i++) {
    stretches.push([seams[i]!, seams[i + 1]!]);
    if (i > 0) stretches.push([0, seams[i]!], [seams[i]!, scan.length]);
  }
  return stretches.filter(([from, to]) => to - from < scan.length && !isScrap(scan, from, to));
}
