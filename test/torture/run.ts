import { USAGE, readOptions } from "./options.ts";
/** `npm run torture`: real servers are killed, copied and given failing disks, and what callers were told is compared with what is kept. */
import { torture } from "./torture.ts";

if (process.argv.includes("--help")) {
  console.log(USAGE);
} else {
  const tally = await torture(readOptions(process.argv.slice(2)), (line) => console.log(line));
  console.log(["", ...tally.summarise()].join("\n"));
  process.exitCode = tally.isClean ? 0 : 1;
}
