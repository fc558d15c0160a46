import { statfsSync } from "node:fs";

/** By `f_type` of statfs(2), as in Linux's `include/uapi/linux/magic.h`; what lies on another machine, or on the host of a virtual one. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
]);

/** The name of the network file system that a folder is on; undefined where it is on another one, or nobody knows. Looks on Linux alone. */
export function networkFileSystemOf(folder: string): string | undefined {
  return process.platform === "linux" ? networkFileSystem(statfsSync(folder).type) : undefined;
}

/** The same by its type, with a sign or without. Pure. */
export function networkFileSystem(type: number): string | undefined {
  return NETWORK_FILE_SYSTEMS.get(type >>> 0);
}

/** What can happen there, though SQLite was granted its write-ahead log (sqlite.org/wal.html: all processes must be on one machine). */
export function describeNetworkFileSystem(folder: string, name: string): string {
  return `${folder} is on a network file system (${name}): the write-ahead log needs memory that its users share, so that a process on another machine would damage the database, and locks and syncs are what that system makes of them`;
}

/** What to do about it. */
export const NETWORK_FILE_SYSTEM_CURE =
  "keep the data folder on a local disk, or use PostgreSQL with --store";
