import { statfsSync } from "node:fs";

/** `f_type` of statfs(2), from Linux's `include/uapi/linux/magic.h`: file systems on another machine, or on the host of a virtual machine. */
const NETWORK_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "SMB"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
]);

/** Name of a folder's network file system; undefined on any other file system, or if it is unknown. Only Linux is supported. */
export function networkFileSystemOf(folder: string): string | undefined {
  return process.platform === "linux" ? networkFileSystem(statfsSync(folder).type) : undefined;
}

/** The same from the type as a signed or unsigned number. Pure. */
export function networkFileSystem(type: number): string | undefined {
  return NETWORK_FILE_SYSTEMS.get(type >>> 0);
}

/** The risk of a network file system, even if SQLite was granted its write-ahead log (sqlite.org/wal.html: all processes must be on one machine). */
export function describeNetworkFileSystem(folder: string, name: string): string {
  return `${folder} is on a network file system (${name}): the write-ahead log needs memory that its users share, so that a process on another machine would damage the database, and locks and syncs are what that system makes of them`;
}

/** The remedy. */
export const NETWORK_FILE_SYSTEM_CURE =
  "keep the data folder on a local disk, or use PostgreSQL with --store";
