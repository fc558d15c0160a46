import { readFileSync } from "node:fs";

/** `/proc` counts processor time in hundredths of a second (`USER_HZ`, the same on every Linux). */
const TICKS_PER_SECOND = 100;

/** Processor time that a process has used, user and system, all of its threads together. Linux only. */
export function cpuSecondsOf(pid: number): number {
  return cpuSecondsIn(`/proc/${pid}/stat`);
}

/** The same for its main thread, which runs the JavaScript. */
export function mainThreadCpuSecondsOf(pid: number): number {
  return cpuSecondsIn(`/proc/${pid}/task/${pid}/stat`);
}

/** Resident memory in millions of bytes. */
export function residentMegabytesOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return (Number(kilobytes) * 1024) / 1e6;
}

/** Fields 14 and 15. The second one, the program's name, may hold spaces and ends with the last bracket. */
function cpuSecondsIn(file: string): number {
  const stat = readFileSync(file, "utf8");
  const [userTicks = "", systemTicks = ""] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) / TICKS_PER_SECOND;
}
