import type { Command } from "@commander-js/extra-typings";

import { getDomainRules } from "../../access/allowed-domain.ts";
import { type DomainDecision, decideDomain } from "../../access/decide-domain.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot check-origin` */
export function addBotCheckOrigin(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("check-origin")
    .description(
      "say whether pages of an origin may chat with the bot, and which entry decides; exit 1 if not",
    )
    .argument("<bot>", "id of the bot")
    .argument("<origin>", "as browsers send it: https://www.example.com")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley bot check-origin acme-support https://www.example.com",
  );
  command.action(async (id, origin, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const { allowedDomains } = (await getBot(store, id)).document;
    const decision = decideDomain(getDomainRules(allowedDomains), { origin, referer: undefined });
    if (options.json) terminal.print(formatJson({ botId: id, origin, ...decision }));
    if (!decision.allowed) throw new InputError(explainRefusal(decision, origin, allowedDomains));
    if (!options.json) terminal.print(`${origin} is allowed by \`${decision.entry}\``);
  });
}

type Refusal = Extract<DomainDecision, { allowed: false }>;

function explainRefusal({ reason }: Refusal, origin: string, allowedDomains: readonly string[]): string {
  if (reason === "origin_malformed") {
    const url = URL.canParse(origin) ? new URL(origin).origin : "null";
    const suggestion = url === "null" || url === origin ? "https://www.example.com" : url;
    return `\`${origin}\` is not an origin that browsers send; try ${suggestion}`;
  }
  const entries = allowedDomains.map((entry) => `\`${entry}\``).join(", ");
  return `${origin} is refused: it matches none of ${entries || "the entries, as there are none"}`;
}
