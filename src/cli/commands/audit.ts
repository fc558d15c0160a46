import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";

import { DAY_MS } from "../../domain/time.ts";
import { auditChanges } from "../../operate/audit-changes.ts";
import { auditDecisions } from "../../operate/audit-decisions.ts";
import type { GroupBounds } from "../../operate/group-messages.ts";
import type { AuditScope } from "../../store/interface/audit.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { describeAudits } from "../audit-report.ts";
import { describeChanges } from "../change-report.ts";
import { ratedAnswerAsJson } from "../conversation-json.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { UsageError } from "../exit-code.ts";
import { formatInstant, formatJson } from "../format.ts";
import { parseCount, pastParser } from "../option-values.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

const DEFAULT_DAYS = 30;
/** As many lines as an operator reads at a time. */
const DEFAULT_LIMIT = 50;
/** Messages listed of one group of similar ones. */
const MAX_PER_GROUP = 8;

/** `parley audit …` */
export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command("audit").description("summarise decisions on stored turns, or list changes");
  addExamples(audit, "parley audit decisions acme-support", "parley audit changes --since 7d");
  addDecisions(audit, terminal);
  addAuditChanges(audit, terminal);
}

function addDecisions(audit: Command, terminal: Terminal): void {
  const command = audit
    .command("decisions")
    .description(
      "summarise decisions: refusals, what observe mode would have refused, and all messages that matched nothing " +
        "or were refused, grouped by similarity and in the form of examples; answers that are likely wrong, with reasons; and visitors' ratings",
    )
    .argument("[bot]", "id of the bot; without it, all bots")
    .option("--bot <id>", "the same")
    .option(
      "--since <when>",
      "start of the period: 7d, 12h, 2w or a date such as 2026-11-01",
      pastParser(terminal.now),
    )
    .addOption(
      new Option("--days <number>", `the same in days (default: ${DEFAULT_DAYS})`)
        .argParser(parseDays)
        .conflicts("since"),
    )
    .addOption(new Option("--rated <rating>", "only turns with this rating").choices(["up", "down"]))
    .option("--limit <number>", "messages to list of each kind", parseCount, DEFAULT_LIMIT)
    .addOption(new Option("--all", "list all messages").conflicts("limit"))
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley audit decisions acme-support --since 7d",
    "parley audit decisions acme-support --rated down",
    "parley audit decisions --since 2026-11-01 --all",
  );
  command.action(async (argument, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const rating = options.rated;
    const since = options.since ?? terminal.now() - (options.days ?? DEFAULT_DAYS) * DAY_MS;
    const bounds = options.all
      ? { ofGroup: Infinity, inAll: Infinity }
      : { ofGroup: MAX_PER_GROUP, inAll: options.limit };
    const id = chosenBot(argument, options.bot);
    const ids = id === undefined ? (await store.bots.listOthers([])).map((bot) => bot.id) : [id];
    const scope = { since, ...(rating && { rating }) };
    const audits = await Promise.all(
      ids.map(async (each) => auditBot(store, await getBot(store, each), scope, bounds)),
    );
    if (options.json) {
      return terminal.print(formatJson(id === undefined ? { bots: audits } : audits[0]));
    }
    if (audits.length === 0) return terminal.say("there are no bots yet; add some with `parley seed`");
    terminal.print(describeAudits(audits, terminal.colours.out));
  });
}

function chosenBot(argument: string | undefined, option: string | undefined): string | undefined {
  if (argument === undefined || option === undefined || argument === option) return argument ?? option;
  throw new UsageError(`two different bots are given, ${argument} and ${option}; give one, or none for all`);
}

async function auditBot(
  store: Store,
  { id, key, document }: Pick<StoredBot, "id" | "key" | "document">,
  scope: Omit<AuditScope, "bot">,
  bounds: GroupBounds,
) {
  const { rated, likelyWrong, ...audit } = await auditDecisions(
    store,
    { ...scope, bot: key, document },
    bounds,
  );
  return {
    botId: id,
    since: formatInstant(scope.since),
    /** null: of all turns. */
    onlyRated: scope.rating ?? null,
    ...audit,
    rated: { ...rated, answers: rated.answers.map(ratedAnswerAsJson) },
    likelyWrong: {
      ...likelyWrong,
      listed: likelyWrong.listed.map((turn) => ({ ...turn, at: formatInstant(turn.at) })),
    },
  };
}

function parseDays(text: string): number {
  const days = Number(text);
  if (Number.isInteger(days) && days > 0 && days <= 36_500) return days;
  throw new InvalidArgumentError("Use a number of days, such as 7.");
}

/** `parley audit changes` */
function addAuditChanges(audit: Command, terminal: Terminal): void {
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
