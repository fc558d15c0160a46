/** Preloaded where a part is left out: its edits are made as the sources are read. `PARLEY_WITHOUT` names the part. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { plugin } from "bun";

import { PARTS, ROOT } from "./parts.ts";

const part = PARTS.find(({ name }) => name === process.env["PARLEY_WITHOUT"]);
const edits = Map.groupBy(part?.edits ?? [], ({ file }) => join(ROOT, file));

function edited(path: string): string {
  return (edits.get(path) ?? []).reduce(
    (source, { from, to }) => {
      if (source.split(from).length !== 2) throw new Error(`${path}: not there, or not once: ${from}`);
      return source.replace(from, () => to);
    },
    readFileSync(path, "utf8"),
  );
}

plugin({
  name: "without a part",
  setup(build) {
    build.onLoad({ filter: /[/\\]src[/\\](intent|governance)[/\\].*\.ts$/ }, ({ path }) => ({
      contents: edited(path),
      loader: "ts",
    }));
  },
});
