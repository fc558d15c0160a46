import { cpus, loadavg } from "node:os";

import { GENERATOR } from "./load/run-load.ts";

/** Describes the machine of a bench, and whether other programs use it. */
export function printMachine(): void {
  const [load = 0] = loadavg();
  console.log(`${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Bun ${Bun.version}`);
  console.log(`load average ${load.toFixed(1)} before; load by ${GENERATOR}`);
  // The build before a bench leaves some load.
  if (load > cpus().length) console.log("THE MACHINE IS BUSY: only ratios within this run mean something");
}
