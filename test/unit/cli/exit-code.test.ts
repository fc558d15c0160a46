import { expect, test } from "bun:test";

import { EXIT, explainFailure } from "../../../src/cli/exit-code.ts";

test("a reader of stdout that has had enough, as `head`, is no failure", () => {
  const gone = Object.assign(new Error("EPIPE: broken pipe, write"), { code: "EPIPE" });
  expect(explainFailure(gone)).toEqual({ exitCode: EXIT.done });
});

test("another failed write is told", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  expect(explainFailure(full)).toMatchObject({
    exitCode: EXIT.serviceFailed,
    message: expect.stringContaining("ENOSPC"),
  });
});

test("a damaged database is told with its cure", () => {
  const damaged = Object.assign(new Error("database disk image is malformed"), { code: "SQLITE_CORRUPT" });
  expect(explainFailure(damaged)).toEqual({
    exitCode: EXIT.serviceFailed,
    message: expect.stringMatching(/is damaged; .*restore the latest intact backup/),
  });
});

test("a database that this user may not write is told with its cure", () => {
  const shut = Object.assign(new Error("attempt to write a readonly database"), {
    code: "SQLITE_READONLY_DIRECTORY",
  });
  expect(explainFailure(shut)).toEqual({
    exitCode: EXIT.serviceFailed,
    message: expect.stringMatching(/this user cannot write to the database; `parley doctor`/),
  });
});
