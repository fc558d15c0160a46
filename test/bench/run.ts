/**
 * `npm run bench`: the compiled executable under load, beside two ceilings in the same run. `-- --stages` says where the processor
 * time of a message goes; `-- --model` measures a model server in front; `--seconds N` and `--generator own` go with each.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";

import { GENERATOR } from "./load/run-load.ts";
import { printModel } from "./model.ts";
import { printStages } from "./stages.ts";
import { printTable } from "./table.ts";

const { values } = parseArgs({
  options: {
    stages: { type: "boolean", default: false },
    model: { type: "boolean", default: false },
    seconds: { type: "string", default: "4" },
    generator: { type: "string" },
  },
});
const seconds = Number(values.seconds);

console.log(`${cpus().length} × ${cpus()[0]?.model ?? "unknown processor"}, Bun ${Bun.version}`);
console.log(`load average ${loadavg()[0]!.toFixed(1)} before; load by ${GENERATOR}`);
if (values.stages) await printStages(seconds);
else if (values.model) await printModel(seconds);
else {
  await printTable(seconds);
  await printModel(seconds);
}
