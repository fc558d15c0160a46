import { expect, test } from "bun:test";

import { FailureLog } from "../../../src/log/failure-log.ts";
import { storageFailure } from "../../../src/store/sqlite/failure.ts";

/** A log, and what was written to it, by level. */
function openTestLog() {
  const lines: [level: string, line: object, text: string][] = [];
  const at = (level: string) => (line: object, text: string) => void lines.push([level, line, text]);
  const log = new FailureLog({ warn: at("warn"), error: at("error") } as never);
  return { log, lines };
}

test("a message that is refused for overload is a warning, not an error", () => {
  const { log, lines } = openTestLog();
  const line = { status: 503, code: "OVERLOADED" } as const;
  log.write(line, 0);
  expect(lines).toEqual([["warn", line, "request refused"]]);
});

test("while the disk is full, each message has a line, and the stack is written once a second", () => {
  const { log, lines } = openTestLog();
  const line = { status: 503, code: "STORAGE_UNAVAILABLE", err: new Error("disk is full") } as const;
  for (const at of [5000, 5001, 5999, 6000]) log.write(line, at);
  expect(
    lines.map(([level, { err }]: [string, { err?: unknown }, string]) => [level, err !== undefined]),
  ).toEqual([
    ["error", true],
    ["error", false],
    ["error", false],
    ["error", true],
  ]);
});

test("every defect has its cause", () => {
  const { log, lines } = openTestLog();
  const line = { status: 503, code: "INTERNAL_ERROR", err: new Error("a defect") } as const;
  log.write(line, 0);
  log.write(line, 1);
  expect(lines).toEqual([
    ["error", line, "request failed"],
    ["error", line, "request failed"],
  ]);
});

test("the line of a full disk says in words that there is no room", () => {
  const full = Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  expect(storageFailure(full)).toMatchObject({
    options: { logFields: { sqliteCode: "SQLITE_FULL", reason: "no room on the disk" } },
  });
});
