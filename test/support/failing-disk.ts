/**
 * Entry of a server with a disk that can fail: prints JSON lines (first `{ url, token }`, then the server's log) and takes one order in each line of
 * stdin. Linux only. Failures occur below SQLite, in the system calls themselves.
 */
import { FFIType, dlopen, ptr } from "bun:ffi";
import { createInterface } from "node:readline";

import { startParley } from "./parley.ts";

/** `fail-fsync` is permanent; `fail-writes` lasts until `heal-writes`. */
export type DiskOrder = "fail-fsync" | "fail-writes" | "heal-writes";

const { symbols: libc } = dlopen("libc.so.6", {
  prctl: {
    args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64],
    returns: FFIType.i32,
  },
  setrlimit: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.i32 },
  signal: { args: [FFIType.i32, FFIType.u64], returns: FFIType.u64 },
});

const PR_SET_SECCOMP = 22;
const PR_SET_NO_NEW_PRIVS = 38;
const SECCOMP_MODE_FILTER = 2n;
const EIO = 5;
const RETURN_ERRNO = 0x00050000;
const RETURN_ALLOW = 0x7fff0000;
const LOAD_WORD = 0x20;
const JUMP_IF_EQUAL = 0x15;
const RETURN = 0x06;
/** System call numbers of fsync and fdatasync. */
const SYNC_CALLS = process.arch === "arm64" ? [82, 83] : [74, 75];

const RLIMIT_FSIZE = 1;
const SIGXFSZ = 25;
const SIG_IGN = 1n;
const UNLIMITED = 2n ** 64n - 1n;

/** Makes every later fsync of this thread fail with EIO, by a seccomp filter, which stays until the process ends. */
function failFsync(): void {
  const [fsync, fdatasync] = SYNC_CALLS as [number, number];
  const program = new Uint8Array(5 * 8);
  const view = new DataView(program.buffer);
  const instructions = [
    [LOAD_WORD, 0, 0, 0],
    [JUMP_IF_EQUAL, 2, 0, fsync],
    [JUMP_IF_EQUAL, 1, 0, fdatasync],
    [RETURN, 0, 0, RETURN_ALLOW],
    [RETURN, 0, 0, RETURN_ERRNO | EIO],
  ] as const;
  for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, ifTrue);
    view.setUint8(index * 8 + 3, ifFalse);
    view.setUint32(index * 8 + 4, value, true);
  }
  const header = new BigUint64Array([BigInt(instructions.length), BigInt(ptr(program))]);
  succeed("no_new_privs", libc.prctl(PR_SET_NO_NEW_PRIVS, 1n, 0n, 0n, 0n));
  succeed("seccomp", libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, BigInt(ptr(header)), 0n, 0n));
}

/** Limits the size of files; a write beyond it fails with EFBIG, which SQLite reports as an I/O error. */
function limitFiles(bytes: bigint): void {
  libc.signal(SIGXFSZ, SIG_IGN);
  succeed("setrlimit", libc.setrlimit(RLIMIT_FSIZE, ptr(new BigUint64Array([bytes, UNLIMITED]))));
}

function succeed(name: string, result: number): void {
  if (result !== 0) throw new Error(`${name} failed`);
}

const ORDERS: Record<DiskOrder, () => void> = {
  "fail-fsync": failFsync,
  "fail-writes": () => limitFiles(1n),
  "heal-writes": () => limitFiles(UNLIMITED),
};

if (import.meta.main) {
  const tell = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);
  const parley = await startParley({ onLog: tell });
  tell({ url: parley.url, token: parley.token });
  for await (const order of createInterface({ input: process.stdin })) {
    ORDERS[order as DiskOrder]();
    tell({ done: order });
  }
  process.exit(0);
}
