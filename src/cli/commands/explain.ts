import type { Command } from "@commander-js/extra-typings";

import { type Explanation, explainTurn } from "../../operate/explain.ts";
import type { Store } from "../../store/store.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { describeExplanation } from "../explain-report.ts";
import { formatInstant, formatJson } from "../format.ts";
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
      throw new InputError(
        `no turn of request \`${requestId}\`: mistyped, deleted, never answered, or the replay of an earlier answer`,
      );
    }
    terminal.print(
      options.json ? formatJson(asJson(explanation)) : describeExplanation(explanation).join("\n"),
    );
  });
}

async function explain(store: Store, terminal: Terminal, requestId: string) {
  using progress = new Progress(terminal);
  return await explainTurn(store, requestId, reportTraining(progress));
}

function asJson({ turn, replayed, agrees }: Explanation) {
  return { turn: { ...turn, at: formatInstant(turn.at) }, replayed, agrees };
}
