import type { Command } from "@commander-js/extra-typings";

import { hashEmbedToken, kindOfToken, parseEmbedToken } from "../../access/secrets.ts";
import { publicAddresses } from "../../config/addresses.ts";
import { type BotDocument, languageTagIn } from "../../domain/bot.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { wordedLanguages } from "../../texts/bot-wording.ts";
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
    .description("print the HTML snippet of the bot's widget")
    .argument("<bot>", "id of the bot")
    .requiredOption("--token <token>", "embed token of the bot")
    .option("--preload", "add a line for the page's head that preloads the bot's configuration")
    .option(
      "--locale <tag>",
      "language of the page, such as `de` or `pt-BR`; without it, the page's `lang` attribute decides",
    )
    .option("--pinned", "pin this version of the widget by its SRI hash; only for a CDN that keeps old files")
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, ["data", "store", "publicUrl", "cdnUrl"]),
    "parley bot snippet acme-support --token parley_et_… --public-url https://chat.example",
  );
  command.action(async (id, options) => {
    const { token, json, locale, preload = false, pinned: isPinned } = options;
    if (locale !== undefined) refuseNoTag(locale);
    const config = readConfig(terminal, options);
    await using store = await openExistingStore(terminal, config);
    const found = await getBot(store, id);
    await refuseUnfitToken(store, found, token);
    if (preload && locale === undefined) refuseUnknownLocale(found.document);
    const addresses = publicAddresses(config, config.port);
    const pinned = isPinned ? pinnableLoader(await widgetAssets()) : undefined;
    const parts = { ...addresses, botId: id, embedToken: token, preload, ...(locale && { locale }) };
    const snippet = widgetSnippet({ ...parts, ...(pinned && { pinned }) });
    terminal.print(json ? formatJson({ botId: id, snippet }) : snippet);
  });
}

function refuseNoTag(locale: string): void {
  if (languageTagIn(locale) !== undefined) return;
  throw new InputError(`--locale must be a language tag such as \`de\` or \`pt-BR\`, not \`${locale}\``);
}

/** The preloaded file contains one language, independent of the page's language. */
function refuseUnknownLocale(document: BotDocument): void {
  const languages = wordedLanguages(document);
  if (languages.length === 0) return;
  throw new InputError(
    `this bot has texts in ${languages.join(", ")}, too: give the page's language with --locale, so that the right texts are preloaded`,
  );
}

/** Rejects a token that would not work in the snippet. */
async function refuseUnfitToken({ embedTokens }: Store, { id }: StoredBot, token: string): Promise<void> {
  const embedToken = parseEmbedToken(token);
  if (!embedToken) throw new InputError("this is not an embed token: it may be mistyped or cut off");
  if (kindOfToken(embedToken) === "server") {
    throw new InputError(
      "this is a server token, which must stay secret; create a token for pages without --server",
    );
  }
  const stored = await embedTokens.findByHash(hashEmbedToken(embedToken));
  if (!stored)
    throw new InputError("this token is unknown here; check that --data is the folder of the server");
  if (stored.revokedAt !== undefined) throw new InputError(`this token (${stored.id}) is revoked`);
  if (stored.botIds.includes(id)) return;
  throw new InputError(
    `this token (${stored.id}) is for ${stored.botIds.join(", ") || "no bot"}, not for ${id}`,
  );
}
