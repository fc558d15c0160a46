import type { Command } from "@commander-js/extra-typings";

import { fileFault } from "../../domain/file-fault.ts";
import { formatOfFile, READABLE } from "../../knowledge/sources/formats/format.ts";
import { DOCUMENT_LIMITS } from "../../knowledge/sources/limits.ts";
import { ParseThread } from "../../knowledge/sources/thread/parse-thread.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import type { Terminal } from "../terminal.ts";

/** `parley knowledge read` */
export function addKnowledgeRead(knowledge: Command, terminal: Terminal): void {
  const command = knowledge
    .command("read")
    .description(
      "print as JSON how a file would be read: title and passages, or the error; nothing is stored",
    )
    .argument("<file>", READABLE);
  addExamples(command, "parley knowledge read docs/handbook.pdf");
  command.action(async (file) => {
    const format = formatOfFile(file);
    if (format === undefined) throw new InputError(`${file} is not ${READABLE}`);
    using parser = new ParseThread();
    const bytes = await readBytes(file);
    terminal.print(JSON.stringify(await parser.parse({ format, bytes, limits: DOCUMENT_LIMITS })));
  });
}

async function readBytes(file: string): Promise<Uint8Array> {
  try {
    return await Bun.file(file).bytes();
  } catch (error) {
    throw new InputError(`${file}: ${fileFault(error)}`);
  }
}
