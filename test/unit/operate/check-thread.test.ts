import { expect, test } from "bun:test";

import { CheckThread } from "../../../src/operate/check/check-thread.ts";

const SOUND = "id: a\nname: A\nallowedDomains: []\n";

test("a document that takes too long to check is given up, and the next one is checked", async () => {
  using hasty = new CheckThread(0);
  const { mistakes } = await hasty.check({ yaml: SOUND });
  expect(mistakes.map(({ message }) => message)).toEqual([
    "to check this takes longer than 0 s; make it simpler",
  ]);
  using patient = new CheckThread();
  const [first, second] = await Promise.all([
    patient.check({ yaml: "id: [" }),
    patient.check({ yaml: SOUND, id: "a" }),
  ]);
  expect(first.document).toBeUndefined();
  expect(second).toMatchObject({ document: { id: "a" }, mistakes: [] });
});

test("a thread checks again after it was stopped", async () => {
  const checks = new CheckThread();
  await checks.check({ yaml: SOUND });
  checks[Symbol.dispose]();
  expect((await checks.check({ yaml: SOUND })).document).toMatchObject({ id: "a" });
  checks[Symbol.dispose]();
});
