import type { TortureFolder } from "../folder.ts";
import type { RoundsOptions } from "../kill-rounds.ts";
import type { FailingDisk, FaultKind } from "./control.ts";

/** What is to fail, where, and how often. */
export interface FaultOptions extends Omit<RoundsOptions, "rounds" | "folder"> {
  disk: FailingDisk;
  /** A folder with bots and a token, to be copied. */
  seeded: TortureFolder;
  /** Places at which each kind strikes, in each act. */
  steps: number;
  kinds: readonly FaultKind[];
}

export const STRIKING: readonly FaultKind[] = [
  "failed sync",
  "short write",
  "full disk",
  "failed write",
  "power cut",
];

/** Which calls are to fail: `steps` of `calls`, evenly, the first and the last among them. */
export function placesAmong(calls: number, steps: number): number[] {
  const count = Math.min(calls, steps);
  const places = Array.from({ length: count }, (_, step) =>
    Math.round((step * (calls - 1)) / Math.max(1, count - 1)),
  );
  return [...new Set(places)];
}
