/** `npm run fuzz`: odd requests, bot files, texts and command lines, the same for the same seed. */
import { fuzz } from "./fuzz.ts";
import { USAGE, readOptions } from "./options.ts";

if (process.argv.includes("--help")) {
  console.log(USAGE);
} else {
  const report = await fuzz(readOptions(process.argv.slice(2)), (line) => console.log(line));
  console.log(["", ...report.summarise()].join("\n"));
  process.exit(report.isClean ? 0 : 1);
}
