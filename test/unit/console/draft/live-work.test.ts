import { describe, expect, test } from "bun:test";

import { signal } from "@preact/signals";

import { LiveWork } from "../../../../src/console/draft/live-work.ts";
import type { PublishPreview } from "../../../../src/domain/operator/bots.ts";
import { eventually } from "../../../support/eventually.ts";

const resultOf = (text: string) => ({ baseVersion: text.length }) as PublishPreview;

/** Runs that are ended by hand. */
function byHand() {
  const runs: {
    text: string;
    signal: AbortSignal;
    part: (text: string) => void;
    end: (text: string) => void;
    fail: () => void;
  }[] = [];
  const preview = new LiveWork<PublishPreview>((text, onStep, stop, onPart) => {
    onStep({ step: "training", done: 1, of: 3 });
    const { promise, resolve, reject } = Promise.withResolvers<PublishPreview>();
    runs.push({
      text,
      signal: stop,
      part: (of) => onPart(resultOf(of)),
      end: (of) => resolve(resultOf(of)),
      fail: () => reject(new Error("no")),
    });
    return promise;
  });
  return { preview, runs };
}

describe("what would change", () => {
  test("is worked out anew after an edit, and the result before stays, marked as old", async () => {
    const { preview, runs } = byHand();
    const text = signal("a");
    const end = preview.follow(text);
    await eventually(() => expect(preview.step.value?.step).toBe("training"));
    runs[0]!.end("a");
    await eventually(() => expect(preview.result.value).toEqual(resultOf("a")));
    expect([preview.isOld.value, preview.step.value]).toEqual([false, undefined]);
    text.value = "ab";
    text.value = "abc";
    expect([preview.result.value, preview.isOld.value]).toEqual([resultOf("a"), true]);
    await eventually(() => expect(runs).toHaveLength(2));
    runs[1]!.end("abc");
    await eventually(() => expect(preview.isOld.value).toBe(false));
    expect(runs.map((run) => run.text)).toEqual(["a", "abc"]);
    end();
  });

  test("is shown as far as it is known, while the rest is worked out", async () => {
    const { preview, runs } = byHand();
    const end = preview.follow(signal("a"));
    await eventually(() => expect(runs).toHaveLength(1));
    runs[0]!.part("part");
    expect([preview.result.value, preview.isOld.value]).toEqual([resultOf("part"), false]);
    expect(preview.step.value?.step).toBe("training");
    runs[0]!.end("whole");
    await eventually(() => expect(preview.result.value).toEqual(resultOf("whole")));
    end();
  });

  test("an edit stops what was being worked out", async () => {
    const { preview, runs } = byHand();
    const text = signal("a");
    const end = preview.follow(text);
    await eventually(() => expect(runs).toHaveLength(1));
    text.value = "b";
    expect(runs[0]!.signal.aborted).toBe(true);
    runs[0]!.end("a");
    await eventually(() => expect(runs).toHaveLength(2));
    expect(preview.result.value).toBeUndefined();
    end();
    expect(runs[1]!.signal.aborted).toBe(true);
  });

  test("a failure is told and can be tried again", async () => {
    const { preview, runs } = byHand();
    const end = preview.follow(signal("a"));
    await eventually(() => expect(runs).toHaveLength(1));
    runs[0]!.fail();
    await eventually(() => expect(preview.problem.value).toBeDefined());
    preview.again();
    runs[1]!.end("a");
    await eventually(() => expect(preview.result.value).toEqual(resultOf("a")));
    expect(preview.problem.value).toBeUndefined();
    end();
  });
});
