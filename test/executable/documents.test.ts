import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { docxOf, pdfOf } from "../support/documents.ts";
import { emptyFolder, runExecutable } from "../support/executable.ts";

let folder: string;
beforeEach(() => void (folder = emptyFolder()));
afterEach(() => rmSync(folder, { recursive: true }));

test.each<[string, string | Uint8Array]>([
  ["a.md", "# Returns\n\nFree for 60 days."],
  ["a.html", "<h1>Returns</h1><p>Free for 60 days."],
  ["a.txt", "---\ntitle: Returns\n---\nFree for 60 days."],
  [
    "a.pdf",
    pdfOf([
      [
        { text: "Returns", y: 700, height: 20 },
        { text: "Free for 60 days.", y: 600 },
      ],
    ]),
  ],
  [
    "a.docx",
    docxOf([
      ["Title", "Returns"],
      ["Normal", "Free for 60 days."],
    ]),
  ],
])("reads %s with nothing else at hand", async (name, content) => {
  writeFileSync(join(folder, name), content);
  const { stdout, stderr } = await runExecutable(["knowledge", "read", name], { cwd: folder });
  expect({ stderr, news: JSON.parse(stdout) }).toMatchObject({
    stderr: "",
    news: { kind: "read", document: { title: "Returns", passages: [{ body: "Free for 60 days." }] } },
  });
});
