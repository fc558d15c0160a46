import { describe, expect, test } from "bun:test";

import type { InstanceId } from "../../../src/domain/ids.ts";
import { LeaseObserver } from "../../../src/store/lease-observer.ts";

const TIMES = { beatEveryMs: 3000, leaseMs: 15_000 };
const ID = "in_1" as InstanceId;
const at = (heartbeat: number) => [{ id: ID, heartbeat }];

/** Looks once at each heartbeat's time, at what `heartbeatAt` says. */
function lookEvery(observer: LeaseObserver, untilMs: number, heartbeatAt: (ms: number) => number): number[] {
  const deadAtMs: number[] = [];
  for (let ms = 0; ms <= untilMs; ms += TIMES.beatEveryMs) {
    if (observer.look(at(heartbeatAt(ms)), ms).length > 0) deadAtMs.push(ms);
  }
  return deadAtMs;
}

describe("the lease of a server", () => {
  test("has run out when its heartbeat has stood still for so long, and not before", () => {
    expect(lookEvery(new LeaseObserver(TIMES), 15_000, () => 7)).toEqual([15_000]);
  });

  test("goes on as long as the heartbeat moves, however slowly", () => {
    const everyTwelveSeconds = (ms: number) => Math.floor(ms / 12_000);
    expect(lookEvery(new LeaseObserver(TIMES), 600_000, everyTwelveSeconds)).toEqual([]);
  });

  test("begins when the observer first sees it: what was before is unknown", () => {
    const observer = new LeaseObserver(TIMES);
    expect(observer.look(at(7), 1_000_000)).toEqual([]);
    expect(observer.look(at(7), 1_003_000)).toEqual([]);
  });

  test("does not run out while the observer itself is held up: both may have been frozen", () => {
    const observer = new LeaseObserver(TIMES);
    observer.look(at(7), 0);
    expect(observer.look(at(7), 3_600_000)).toEqual([]);
    expect(observer.look(at(8), 3_603_000)).toEqual([]);
  });
});
