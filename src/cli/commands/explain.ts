import type { Command } from "@commander-js/extra-typings";

import { getIntentModel } from "../../bots/training.ts";
import type { Config } from "../../config/config.ts";
import { isTextKept } from "../../domain/conversation.ts";
import { isPassedOn } from "../../domain/transcript.ts";
import { explainMessage, explainTurn } from "../../operate/explain.ts";
import type { StoredTurn } from "../../store/interface/conversations.ts";
import type { Store } from "../../store/interface/store.ts";
import { BOT_OR_FILE, openBotOrFile } from "../bot-or-file.ts";
import { turnAsJson } from "../conversation-json.ts";
import { openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError, UsageError } from "../exit-code.ts";
import { describeExplanation, describeMessage, describePassedOn, describeUnkept } from "../explain-report.ts";
import { formatJson } from "../format.ts";
import { Progress, reportTraining } from "../progress.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley explain` */
export function addExplain(program: Command, terminal: Terminal): void {
  const command = program
    .command("explain")
    .description(
      "explain how a message is decided: the nearest example, the words that pulled for and against, and what to add to " +
        "which intent.\n\nA turn is decided again offline, with the bot of that time; with --bot, a message is decided now, as the " +
        "first of a conversation. Nothing is stored, and no model server is asked.",
    )
    .argument(
      "<what...>",
      "X-Request-Id of the answer, also in its log line and in `conversation show`; with --bot, the message",
    )
    .option("--bot <bot>", BOT_OR_FILE)
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley explain rq_…",
    'parley explain --bot acme-support "where is my parcel"',
    "parley explain --bot acme-support.yaml where is my parcel",
  );
  command.action(async (what, options) => {
    const config = readConfig(terminal, options);
    const explain = options.bot === undefined ? explainRequest : explainText(options.bot);
    const { json, lines } = await explain(terminal, config, what);
    terminal.print(options.json ? formatJson(json) : lines.join("\n"));
  });
}

/** The output: exactly one of the two. */
interface Report {
  json: unknown;
  lines: string[];
}

type Explain = (terminal: Terminal, config: Config, what: readonly string[]) => Promise<Report>;

const explainRequest: Explain = async (terminal, config, [requestId, ...others]) => {
  if (others.length > 0 || !requestId?.startsWith("rq_")) {
    const hint = 'to explain a message, give its bot: --bot BOT "message"';
    throw new UsageError(
      `\`${[requestId, ...others].join(" ")}\` is not a request id, which starts with rq_; ${hint}`,
    );
  }
  await using store = await openExistingStore(terminal, config);
  const undecided = await findUndecided(store, requestId);
  if (undecided) return undecided;
  using progress = new Progress(terminal);
  const explanation = await explainTurn(store, requestId, {
    findModel: (document) => getIntentModel(store, document, reportTraining(progress)),
  });
  if (explanation) {
    const { turn, ...found } = explanation;
    return { json: { turn: asJson(turn), ...found }, lines: describeExplanation(explanation) };
  }
  throw new InputError(
    `no turn with request id \`${requestId}\`: it may be mistyped, deleted, unanswered, or the repetition of an earlier answer`,
  );
};

function explainText(name: string): Explain {
  return async (terminal, config, words) => {
    const text = words.join(" ");
    if (text.trim() === "") throw new UsageError("the message is empty");
    const bot = await openBotOrFile(terminal, config, name);
    const explanation = await explainMessage(bot, text, terminal.now());
    const { document, version } = bot;
    return {
      json: { botId: document.id, botVersion: version, input: text, ...explanation },
      lines: describeMessage(explanation, { text, bot: bot.title }),
    };
  };
}

/** The report of a turn that cannot be decided again, because its text was not stored or an operator got it; undefined for other turns. */
async function findUndecided({ conversations }: Store, requestId: string): Promise<Report | undefined> {
  const turn = await conversations.findTurnByRequest(requestId);
  if (!turn || (isTextKept(turn) && !isPassedOn(turn))) return undefined;
  const lines = isPassedOn(turn) ? describePassedOn(turn) : describeUnkept(turn);
  return { json: { turn: asJson(turn), replayed: null }, lines };
}

function asJson(turn: StoredTurn) {
  const { botId, conversationId } = turn;
  return { botId, conversationId, ...turnAsJson(turn) };
}
