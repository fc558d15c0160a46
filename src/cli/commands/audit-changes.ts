import type { Command } from "@commander-js/extra-typings";

import { auditChanges } from "../../operate/audit-changes.ts";
import { describeChanges } from "../change-report.ts";
import { parseCount } from "../counts.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { formatJson } from "../format.ts";
import { pastParser } from "../instants.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** As many as an operator reads at a time. */
const DEFAULT_LIMIT = 50;

/** `parley audit changes` */
export function addAuditChanges(audit: Command, terminal: Terminal): void {
  const command = audit
    .command("changes")
    .description(
      "list changes, newest first: time, author, earlier and new values; deleted bots are included",
    )
    .option("--bot <id>", "only changes of this bot")
    .option(
      "--since <when>",
      "only changes since then: 7d, 12h, 2w or a date such as 2026-11-01",
      pastParser(terminal.now),
    )
    .option("--limit <number>", "number of changes to list", parseCount, DEFAULT_LIMIT)
    .option("--before <number>", "the next page: changes before this one", parseCount)
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley audit changes --since 7d",
    "parley audit changes --bot acme-support --json",
  );
  command.action(async (options) => {
    const { bot, since, before, limit, json } = options;
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const page = await auditChanges(store.changes, {
      limit,
      ...(bot !== undefined && { bot }),
      ...(since !== undefined && { since }),
      ...(before !== undefined && { before }),
    });
    if (json) return terminal.print(formatJson(page));
    if (page.changes.length === 0) return terminal.say("no change meets these options");
    terminal.print(describeChanges(page.changes, terminal.colours.out));
    if (page.next !== null) terminal.say(`there are more: add --before ${page.next}, or a higher --limit`);
  });
}
