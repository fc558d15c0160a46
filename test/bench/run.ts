/**
 * `npm run bench`: the compiled executable under load, beside two ceilings in the same run. `-- --stages` prints where the processor
 * time of a message goes; `-- --model` measures a model server in front; `-- --judging` what judging a message costs, `-- --store` what storing it does, `-- --encoder` what encoding a text does, `-- --actions` what actions add, `-- --stalls` for how long one made to cost holds the loop; `--seconds N` and `--generator own` go with each.
 */
import { parseArgs } from "node:util";

import { printActions } from "./actions.ts";
import { printEncoder } from "./encoder.ts";
import { printMachine } from "./machine.ts";
import { printModel } from "./model.ts";
import { printStages } from "./stages.ts";
import { printStalls } from "./stalls.ts";
import { printStore } from "./store.ts";
import { printTable } from "./table.ts";

const { values } = parseArgs({
  options: {
    stages: { type: "boolean", default: false },
    model: { type: "boolean", default: false },
    judging: { type: "boolean", default: false },
    store: { type: "boolean", default: false },
    encoder: { type: "boolean", default: false },
    actions: { type: "boolean", default: false },
    stalls: { type: "boolean", default: false },
    seconds: { type: "string", default: "4" },
    generator: { type: "string" },
  },
});
const seconds = Number(values.seconds);

printMachine();
if (values.stages) await printStages(seconds);
else if (values.model) await printModel(seconds);
else if (values.store) await printStore();
else if (values.encoder) await printEncoder();
else if (values.actions) await printActions(seconds);
else if (values.stalls) await printStalls();
else if (values.judging) await import("./judging.ts");
else {
  await printTable(seconds);
  await printModel(seconds);
  await printActions(seconds);
}
