import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import { stringify } from "yaml";

import {
  auditDecisions,
  type DecisionAudit,
  type MessageCluster,
  type RefusalCount,
} from "../../operate/audit-decisions.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { counted, formatInstant, formatJson, formatShare, formatTable, printable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Colours, Terminal } from "../terminal.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_DAYS = 30;
const MOST_ROWS = 10;
const MOST_EXAMPLES = 8;

/** `parley audit …` */
export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command("audit").description("sum up what came of stored turns");
  addExamples(audit, "parley audit decisions acme-support");
  addDecisions(audit, terminal);
}

function addDecisions(audit: Command, terminal: Terminal): void {
  const command = audit
    .command("decisions")
    .description(
      "sum up a bot's decisions: what was refused, what observe mode would have refused, and what nothing matched, " +
        "grouped by likeness and ready to become examples",
    )
    .argument("<bot>", "id of the bot")
    .option("--days <number>", "how far to look back", parseDays, DEFAULT_DAYS)
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data"]), "parley audit decisions acme-support --days 7");
  command.action(async (id, options) => {
    await using store = openExistingStore(terminal, readConfig(terminal, options));
    const since = terminal.now() - options.days * DAY_MS;
    const found = auditDecisions(store.audit, getBot(store, id).key, since);
    if (options.json) {
      return terminal.print(formatJson({ botId: id, since: formatInstant(since), ...found }));
    }
    const title = `${id}, since ${formatInstant(since)}`;
    terminal.print(describe(found, title, terminal.colours.out).join("\n"));
  });
}

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days > 0 && days <= 36_500) return days;
  throw new InvalidArgumentError("It should be a number of days, as 7.");
}

function describe(audit: DecisionAudit, title: string, colours: Colours): string[] {
  if (audit.turns === 0) return [`${colours.bold(title)}: no turns`];
  const decisions = Object.entries(audit.decisions)
    .toSorted(([, a], [, b]) => b - a)
    .map(([decision, turns]) => [decision, String(turns), formatShare(turns / audit.turns)]);
  const { wouldRestrict, refused } = audit;
  return [
    `${colours.bold(title)}: ${counted(audit.turns, "turn")}`,
    "",
    formatTable(["DECISION", "TURNS", "SHARE"], decisions),
    ...describeRefusals(colours.bold("Most refused intents:"), refused),
    ...describeRefusals(
      colours.bold(`Observed, not enforced: ${wouldRestrict.turns} would have been restricted`),
      wouldRestrict.refused,
    ),
    ...describeUnmatched(audit, colours),
  ];
}

function describeRefusals(heading: string, refusals: readonly RefusalCount[]): string[] {
  if (refusals.length === 0) return [];
  const rows = refusals
    .slice(0, MOST_ROWS)
    .map(({ intent, reason, turns }) => [intent ?? "no intent", reason, String(turns)]);
  return ["", heading, formatTable(["INTENT", "REASON", "TURNS"], rows)];
}

function describeUnmatched({ unmatched }: DecisionAudit, colours: Colours): string[] {
  const { turns, clustered, clusters } = unmatched;
  if (turns === 0) return [];
  const part = clustered < turns ? `, of which the latest ${clustered} were grouped` : "";
  const heading = colours.bold(`Nothing matched: ${counted(turns, "message")}${part}`);
  if (clusters.length === 0) return ["", heading, "No two of them are alike."];
  return [
    "",
    `${heading}; the largest groups, ready for a bot file:`,
    ...clusters.slice(0, MOST_ROWS).flatMap((cluster) => ["", exampleSnippet(cluster)]),
  ];
}

/** YAML that can be pasted into an intent. */
function exampleSnippet({ turns, closestIntent, examples }: MessageCluster): string {
  const near = closestIntent === null ? "" : `; closest to ${closestIntent}`;
  const yaml = stringify({ examples: examples.slice(0, MOST_EXAMPLES) }, { lineWidth: 0 });
  return printable(`# ${counted(turns, "message")}${near}\n${yaml.trimEnd()}`);
}
