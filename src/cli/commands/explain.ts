import type { Command } from "@commander-js/extra-typings";

import { type Explanation, explainTurn } from "../../chat/explain.ts";
import type { DecisionReceipt, ModelReceipt } from "../../domain/decision.ts";
import type { Store } from "../../store/store.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatInstant, formatJson, printable } from "../format.ts";
import { Progress, reportTraining } from "../progress.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley explain` */
export function addExplain(program: Command, terminal: Terminal): void {
  const command = program
    .command("explain")
    .description("say how a turn was decided, and decide it again offline with the bot of that time")
    .argument("<request-id>", "X-Request-Id of the answer, also in its log line and in `conversation show`")
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data"]), "parley explain rq_…");
  command.action(async (requestId, options) => {
    await using store = openExistingStore(terminal, readConfig(terminal, options));
    const explanation = await explain(store, terminal, requestId);
    if (!explanation) {
      throw new InputError(`no turn of request \`${requestId}\`: mistyped, deleted, or never answered`);
    }
    terminal.print(options.json ? formatJson(asJson(explanation)) : describe(explanation).join("\n"));
  });
}

async function explain(store: Store, terminal: Terminal, requestId: string) {
  using progress = new Progress(terminal);
  return await explainTurn(store, requestId, reportTraining(progress));
}

function asJson({ turn, replayed, agrees }: Explanation) {
  return { turn: { ...turn, at: formatInstant(turn.at) }, replayed, agrees };
}

function describe({ turn, replayed, agrees }: Explanation): string[] {
  const { receipt, metadata } = turn;
  const verdict = metadata.enforcementReason ?? "allowed";
  const again = replayed.decision.kind === "restricted" ? replayed.decision.reason : "allowed";
  const fields: [string, string][] = [
    ["request", `${turn.requestId}, ${formatInstant(turn.at)}`],
    ["bot", `${turn.botId}, version ${turn.botVersion}`],
    ["input", turn.input],
    ["intent", turn.intent ?? "none"],
    ["decision", `${verdict}, by ${receipt.rule}`],
    ["thresholds", thresholdsOf(receipt)],
    ...readingFields(receipt),
    ...serverFields(receipt),
    ["stages", stagesOf(receipt)],
    [
      "replay",
      agrees
        ? "comes to the same"
        : `differs: ${replayed.decision.intent ?? "no intent"}, ${again}, by ${replayed.decision.rule}`,
    ],
  ];
  if (!agrees) fields.push(...readingFields(replayed.receipt));
  return fields.map(([name, value]) => `${name.padEnd(12)}${printable(value)}`);
}

function thresholdsOf({ thresholds: { match, deny } }: DecisionReceipt): string {
  return `match ${match.toFixed(3)}, deny ${deny.toFixed(3)}`;
}

/** A line per reading of the message: the best intents, and how much of it asks for something denied. */
function readingFields({ readings }: DecisionReceipt): [string, string][] {
  return readings.map(({ reading, scores, denied, clause }) => {
    const best = scores.map(({ intent, confidence }) => `${intent} ${confidence.toFixed(3)}`);
    const facts = [...best, `denied ${denied.toFixed(3)}`];
    if (clause) {
      facts.push(`words ${clause.from + 1} to ${clause.to}: ${clause.intent} ${clause.denied.toFixed(3)}`);
    }
    return [reading, facts.join(", ")];
  });
}

/** What model servers had to do with the turn. */
function serverFields({ assistance, model }: DecisionReceipt): [string, string][] {
  const helpers = Object.entries({ embeddings: assistance?.embeddings, judge: assistance?.judge })
    .filter(([, outcome]) => outcome !== undefined)
    .map(([helper, outcome]) => `${helper} ${outcome}`);
  const calls = (model?.calls ?? []).map(
    ({ server, outcome, reason, milliseconds }) =>
      `${server} ${outcome}${reason === undefined ? "" : ` (${reason})`} ${milliseconds.toFixed(0)} ms`,
  );
  return [
    ...(helpers.length > 0 ? [["intent help", helpers.join(", ")] as [string, string]] : []),
    ...(model ? [["model", [...calls, tokensOf(model)].join(", ")] as [string, string]] : []),
  ];
}

function tokensOf({ usage, isUsageEstimated }: ModelReceipt): string {
  const { promptTokens, completionTokens } = usage;
  return `${isUsageEstimated ? "about " : ""}${promptTokens} + ${completionTokens} tokens`;
}

function stagesOf({ stagesMs }: DecisionReceipt): string {
  return Object.entries(stagesMs)
    .map(([stage, ms]) => `${stage} ${ms.toFixed(2)} ms`)
    .join(", ");
}
