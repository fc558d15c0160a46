import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";

import { EXECUTABLE, emptyFolder, runExecutable, serveExecutable } from "../support/executable.ts";

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

test("doctor names a temporary folder from which the driver cannot be loaded", async () => {
  const BUN_TMPDIR = join(folder, "nowhere");
  const { exitCode, stdout } = await runExecutable(["doctor", "--quick"], {
    cwd: folder,
    env: { BUN_TMPDIR },
  });
  expect(stdout).toMatch(/^broken  driver /m);
  expect(stdout).toContain(BUN_TMPDIR);
  expect(exitCode).toBe(3);
});

test("doctor --ready is a health check", async () => {
  await using server = await serveExecutable(folder);
  const port = new URL(server.url).port;
  const ready = () => runExecutable(["doctor", "--ready", "--port", port], { cwd: folder });
  expect((await ready()).exitCode).toBe(0);
  server.process.kill("SIGTERM");
  await server.process.exited;
  expect((await ready()).exitCode).toBe(3);
});

test("the unit of service starts the executable that printed it", async () => {
  const { stdout } = await runExecutable(["service"], { cwd: folder });
  const executable = EXECUTABLE.replaceAll("%", "%%");
  expect(stdout).toContain(`ExecStart=${executable} serve --data /var/lib/parley --must-exist\n`);
});
