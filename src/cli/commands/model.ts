import type { Command } from "@commander-js/extra-typings";

import type { Config } from "../../config/config.ts";
import { didYouMean } from "../../domain/closest-name.ts";
import { checkServer, type ServerReport } from "../../model/check-server.ts";
import { addExamples } from "../examples.ts";
import { CheckFailedError, UsageError } from "../exit-code.ts";
import { formatJson, printable } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley model …` */
export function addModelCommands(program: Command, terminal: Terminal): void {
  const model = program.command("model").description("model servers of the config file");
  addModelCheck(model, terminal);
}

/** `parley model check [NAME]` */
function addModelCheck(model: Command, terminal: Terminal): void {
  const command = model
    .command("check")
    .description("check model servers: reachability, features and the time of one completion, with remedies")
    .argument("[name]", "a server under `models`; without it, all servers")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "models"]),
    "parley model check --config parley.yaml",
    "parley model check local --config parley.yaml --json",
  );
  command.action(async (name, options) => {
    const reports: ServerReport[] = [];
    for (const [server, settings] of selectServers(readConfig(terminal, options).models, name)) {
      const apiKey = settings.apiKeyEnv === undefined ? undefined : terminal.env[settings.apiKeyEnv];
      const report = await checkServer(server, settings, apiKey);
      reports.push(report);
      if (!options.json) terminal.print(printable(formatReport(report)));
    }
    if (options.json) terminal.print(formatJson({ servers: reports }));
    const failed = reports.filter(({ supports }) => !supports.completions);
    if (failed.length > 0) {
      throw new CheckFailedError(`no completion from ${failed.map((report) => report.name).join(", ")}`);
    }
  });
}

function selectServers(models: Config["models"], name: string | undefined) {
  const all = Object.entries(models);
  if (all.length === 0) {
    throw new UsageError("no model servers are configured; add some under `models` in the --config file");
  }
  const selected = all.filter(([known]) => name === undefined || known === name);
  if (selected.length > 0) return selected;
  throw new UsageError(`no model server \`${name}\`${didYouMean(name ?? "", Object.keys(models))}`);
}

function formatReport({
  name,
  baseUrl,
  model,
  completionMs,
  supports,
  models,
  advice,
}: ServerReport): string {
  const verdict = completionMs === undefined ? "fails" : `answers in ${completionMs} ms`;
  const yesNo = (does: boolean) => (does ? "yes" : "no");
  return [
    `${name}: ${verdict} (${model} at ${baseUrl})`,
    `  streaming ${yesNo(supports.streaming)}, structured output ${yesNo(supports.structuredOutput)}, embeddings ${yesNo(supports.embeddings)}`,
    ...(models ? [`  lists ${models.length} ${models.length === 1 ? "model" : "models"}`] : []),
    ...advice.map((line) => `  fix: ${line}`),
  ].join("\n");
}
