import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";

import type { EpochMs, Now } from "../../domain/time.ts";
import { type IssuedEmbedToken, issueEmbedToken } from "../../operate/issue-embed-token.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { parseExpiry } from "../expiry.ts";
import { formatInstant, formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley token create` */
export function addTokenCreate(token: Command, terminal: Terminal): void {
  const command = token
    .command("create")
    .description("create a token for pages or programs; it is shown once, and only its hash is stored")
    .requiredOption("--bot <id>", "a bot it is valid for; repeat for several", collect)
    .option("--label <text>", "its purpose, shown by `token list`")
    .option("--expires <when>", "90d, 12h, 2w or a date; without it, never", expiryParser(terminal.now))
    .option("--server", "a secret token for programs: needs no domain, and is rejected from browsers")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store"]),
    "parley token create --bot acme-support",
    'parley token create --bot acme-support --bot acme-sales --label "Shop" --expires 90d',
  );
  command.action(async (options) => {
    const { bot, label, expires, server, json } = options;
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const granted = await Promise.all([...new Set(bot)].map((id) => getBot(store, id)));
    const issued = await issueEmbedToken(store, terminal, {
      botIds: granted.map(({ id }) => id),
      kind: server ? "server" : "embed",
      ...(label !== undefined && { label }),
      ...(expires !== undefined && { expiresAt: expires }),
    });
    if (json) return terminal.print(formatJson(issuedAsJson(issued)));
    terminal.print(issued.embedToken);
    terminal.say(`${issued.id} is created; keep the line above, it is not shown again`);
  });
}

/** An embed token as `--json` prints it. */
function issuedAsJson({ id, embedToken, botIds, label, expiresAt }: IssuedEmbedToken) {
  return {
    id,
    token: embedToken,
    botIds,
    ...(label !== undefined && { label }),
    ...(expiresAt !== undefined && { expiresAt: formatInstant(expiresAt) }),
  };
}

function collect(value: string, earlier: string[] = []): string[] {
  return [...earlier, value];
}

function expiryParser(now: Now): (text: string) => EpochMs {
  return (text) => {
    try {
      return parseExpiry(text, now());
    } catch (error) {
      throw new InvalidArgumentError((error as Error).message);
    }
  };
}
