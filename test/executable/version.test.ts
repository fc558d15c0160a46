import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";

import { describeVersion, type Origin } from "../../src/domain/version.ts";
import { EXECUTABLE, runExecutable } from "../support/executable.ts";

test("--version names the commit that the executable was built from", async () => {
  const origin = JSON.parse(readFileSync(`${EXECUTABLE}.origin.json`, "utf8")) as Origin;
  expect(origin.kind).not.toBe("source");
  const { exitCode, stdout } = await runExecutable(["--version"], { cwd: tmpdir() });
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${describeVersion(origin)}\n` });
});
