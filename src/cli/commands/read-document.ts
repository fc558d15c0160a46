import type { Command } from "@commander-js/extra-typings";

import { formatOfFile, READABLE } from "../../knowledge/sources/formats/format.ts";
import { DOCUMENT_LIMITS } from "../../knowledge/sources/limits.ts";
import { ParseThread } from "../../knowledge/sources/thread/parse-thread.ts";
import type { Terminal } from "../terminal.ts";

/** Not for operators: shows what becomes of a file that is named as knowledge, as JSON. */
export function addReadDocument(program: Command, terminal: Terminal): void {
  program
    .command("read-document", { hidden: true })
    .description("read a document, and print its passages, or why it cannot be read, as JSON")
    .argument("<file>")
    .action(async (file) => {
      const format = formatOfFile(file);
      if (format === undefined) throw new Error(`${file} is not ${READABLE}`);
      using parser = new ParseThread();
      const bytes = await Bun.file(file).bytes();
      terminal.print(JSON.stringify(await parser.parse({ format, bytes, limits: DOCUMENT_LIMITS })));
    });
}
