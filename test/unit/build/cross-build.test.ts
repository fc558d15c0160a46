import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { buildForTargets } from "../../../src/build/cross-build.ts";
import { type Target, TARGETS } from "../../../src/build/targets.ts";

let folder: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "parley-cross-"));
  lines = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const targetNamed = (name: string): Target => ({
  runtime: "bun-linux-arm64",
  driver: "better-sqlite3/linux-arm64",
  outfile: join(folder, name),
});

function build(names: readonly string[], compile: (target: Target) => Promise<void>): Promise<number> {
  return buildForTargets(names.map(targetNamed), {
    compile,
    say: (line) => void lines.push(line),
    checksums: join(folder, "SHA256SUMS"),
  });
}

const write = async ({ outfile }: Target) => writeFileSync(outfile, `executable ${outfile.slice(-1)}`);

describe("npm run build -- --all", () => {
  test("writes checksums that sha256sum reads", async () => {
    expect(await build(["a", "b"], write)).toBe(0);
    const { exitCode } = Bun.spawnSync(["sha256sum", "--check", "--strict", "SHA256SUMS"], { cwd: folder });
    expect(exitCode).toBe(0);
    expect(readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n")).toHaveLength(2);
  });

  test("goes on where a target cannot be built, says which and why, and counts it", async () => {
    const failed = await build(["a", "b", "c"], async (target) => {
      await write(target);
      if (target.outfile.endsWith("b"))
        throw new AggregateError([new Error("no runtime"), new Error("no space")]);
    });
    expect(failed).toBe(1);
    expect(existsSync(join(folder, "b"))).toBe(false);
    const sums = readFileSync(join(folder, "SHA256SUMS"), "utf8");
    expect(sums.match(/ {2}\S+/g)).toEqual(["  a", "  c"]);
    expect(lines.join("\n")).toContain(`FAILED ${join(folder, "b")} (bun-linux-arm64): no runtime; no space`);
    expect(lines.at(-1)).toEndWith("2 of 3 executables, 1 FAILED");
  });

  test("leaves no checksums of an earlier build behind", async () => {
    writeFileSync(join(folder, "SHA256SUMS"), "old");
    await build([], write);
    expect(readFileSync(join(folder, "SHA256SUMS"), "utf8")).toBe("");
  });
});

/** What the first bytes of a machine's native code say of it. */
const HEADS: Record<string, (code: Buffer) => boolean> = {
  "bun-linux-x64": (code) => isElf(code, 62),
  "bun-linux-arm64": (code) => isElf(code, 183),
  "bun-darwin-arm64": (code) => code.readUInt32LE(0) === 0xfeedfacf && code.readUInt32LE(4) === 0x0100000c,
  "bun-windows-x64": (code) => code.toString("latin1", 0, 2) === "MZ",
};

const isElf = (code: Buffer, machine: number) =>
  code.readUInt32BE(0) === 0x7f454c46 && code.readUInt16LE(18) === machine;

describe("each target", () => {
  test.each(TARGETS.map((target) => [target.outfile, target] as const))(
    "%s has the driver of its machine and its C library",
    (_, { driver, runtime }) => {
      const entry = readFileSync(Bun.resolveSync(driver, import.meta.dir), "utf8");
      const file = /prebuilds\/[\w-]+\.node/.exec(entry)?.[0] ?? "none";
      const code = readFileSync(join(import.meta.dir, "../../../node_modules/better-sqlite3", file));
      const machine = /^bun-[a-z]+-(?:x64|arm64)/.exec(runtime)?.[0] ?? "";
      expect(HEADS[machine]?.(code)).toBe(true);
      expect(code.includes("libc.musl-") || code.includes("libc.so\0")).toBe(runtime.includes("musl"));
    },
  );

  test("has a file of its own", () => {
    expect(new Set(TARGETS.map(({ outfile }) => outfile)).size).toBe(TARGETS.length);
  });
});
