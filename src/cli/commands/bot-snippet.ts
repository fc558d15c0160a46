import type { Command } from "@commander-js/extra-typings";

import { hashEmbedToken, kindOfToken, parseEmbedToken } from "../../access/embed-token.ts";
import { publicAddresses } from "../../config/addresses.ts";
import { type BotDocument, languageTagIn } from "../../domain/bot.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { wordedLanguages } from "../../texts/language-wording.ts";
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
    .option("--locale <tag>", "language of the page, as `de` or `pt-BR`; left out, the page's `lang` says it")
    .option("--pinned", "pin this version of the widget by its SRI hash; for a CDN that keeps old files")
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
    `this bot is worded in ${languages.join(", ")}, too: name the page's language with --locale, so that the right one is preloaded`,
  );
}

/** Rejects a token that would not work in the snippet. */
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
