import type { Command } from "@commander-js/extra-typings";

import { hashEmbedToken, kindOfToken, parseEmbedToken } from "../../access/embed-token.ts";
import { publicAddresses } from "../../config/addresses.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { widgetAssets } from "../../widget/assets.ts";
import { pinnableLoader, widgetSnippet } from "../../widget/snippet.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley bot snippet` */
export function addBotSnippet(bot: Command, terminal: Terminal): void {
  const command = bot
    .command("snippet")
    .description("print the line that puts the bot's widget on a page")
    .argument("<bot>", "id of the bot")
    .requiredOption("--token <token>", "embed token of the bot")
    .option(
      "--preload",
      "add a line that fetches the bot's settings together with the widget; for the page's head",
    )
    .option("--pinned", "pin this version of the widget by its SRI hash; for a CDN that keeps old files")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store", "publicUrl", "cdnUrl"]),
    "parley bot snippet acme-support --token parley_et_… --public-url https://chat.example",
  );
  command.action(async (id, options) => {
    const { token, json, preload = false, pinned: isPinned } = options;
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    await refuseUnfitToken(store, await getBot(store, id), token);
    const addresses = publicAddresses(config, config.port);
    const pinned = isPinned ? pinnableLoader(await widgetAssets()) : undefined;
    const parts = { ...addresses, botId: id, embedToken: token, preload };
    const snippet = widgetSnippet({ ...parts, ...(pinned && { pinned }) });
    terminal.print(json ? formatJson({ botId: id, snippet }) : snippet);
  });
}

/** Refuses a token with which the snippet could not work, before it is pasted into a site. */
async function refuseUnfitToken({ embedTokens }: Store, { id }: StoredBot, token: string): Promise<void> {
  const embedToken = parseEmbedToken(token);
  if (!embedToken) throw new InputError("this is no embed token: mistyped, or cut short");
  if (kindOfToken(embedToken) === "server") {
    throw new InputError(
      "this is a server token, a secret of programs; issue one for the page without --server",
    );
  }
  const stored = await embedTokens.findByHash(hashEmbedToken(embedToken));
  if (!stored) throw new InputError("this token was never issued here; is --data the folder that serves?");
  if (stored.revokedAt !== undefined) throw new InputError(`this token (${stored.id}) is revoked`);
  if (stored.botIds.includes(id)) return;
  throw new InputError(
    `this token (${stored.id}) is for ${stored.botIds.join(", ") || "no bot"}, not for ${id}`,
  );
}
