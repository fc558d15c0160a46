import type { Command } from "@commander-js/extra-typings";

import { addExamples } from "../examples.ts";
import type { Terminal } from "../terminal.ts";
import { addKnowledgeAdd } from "./knowledge-add.ts";
import { addKnowledgeList } from "./knowledge-list.ts";
import { addKnowledgeRead } from "./knowledge-read.ts";
import { addKnowledgeRefresh } from "./knowledge-refresh.ts";
import { addKnowledgeRemove } from "./knowledge-remove.ts";
import { addKnowledgeSearch } from "./knowledge-search.ts";

/** `parley knowledge …` */
export function addKnowledgeCommands(program: Command, terminal: Terminal): void {
  const knowledge = program.command("knowledge").description("documents that bots answer from");
  addExamples(
    knowledge,
    "parley knowledge list acme-support",
    "parley knowledge refresh acme-support",
    'parley knowledge search acme-support "how long do gift cards last"',
  );
  addKnowledgeAdd(knowledge, terminal);
  addKnowledgeList(knowledge, terminal);
  addKnowledgeRemove(knowledge, terminal);
  addKnowledgeRefresh(knowledge, terminal);
  addKnowledgeSearch(knowledge, terminal);
  addKnowledgeRead(knowledge, terminal);
}
