import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { PARTS, ROOT } from "../../bench/intent/ablation/parts.ts";

describe.each(PARTS)("what the ablation leaves out: $name", ({ edits, files }) => {
  test.each(edits)("what an edit changes stands in $file once", ({ file, from }) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    expect(source.split(from)).toHaveLength(2);
  });

  test("its own files exist", () => {
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });
});
