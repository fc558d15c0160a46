import { expect, test } from "bun:test";

import { ServiceError } from "../../../src/domain/errors.ts";
import { CheckThread } from "../../../src/operate/check/check-thread.ts";

const SOUND = "id: a\nname: A\nallowedDomains: [a.example]\n";

test("a document that takes too long to check is given up, and the next one is checked", async () => {
  using hasty = new CheckThread({ longestMs: 0 });
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

test("a document whose client has left is dropped before its turn, and leaves its place to another", async () => {
  using checks = new CheckThread();
  const client = new AbortController();
  const first = checks.check({ yaml: SOUND });
  const dropped = checks.check({ yaml: SOUND }, client.signal);
  const waiting = Array.from({ length: 15 }, () => checks.check({ yaml: SOUND }));
  const refused = await checks.check({ yaml: SOUND }).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ServiceError);
  expect((refused as ServiceError).errorCode).toBe("OVERLOADED");
  client.abort(new Error("left"));
  const later = checks.check({ yaml: SOUND });
  await expect(dropped).rejects.toThrow("left");
  for (const { mistakes } of await Promise.all([first, later, ...waiting])) expect(mistakes).toEqual([]);
  await expect(checks.check({ yaml: SOUND }, client.signal)).rejects.toThrow("left");
});
