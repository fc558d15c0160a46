import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";

import { embedTokenState, hashEmbedToken, parseEmbedToken } from "../../access/secrets.ts";
import { didYouMean } from "../../domain/closest-name.ts";
import type { EpochMs, Now } from "../../domain/time.ts";
import { type IssuedEmbedToken, issueEmbedToken } from "../../operate/issue-embed-token.ts";
import type { StoredEmbedToken } from "../../store/interface/embed-tokens.ts";
import type { Store } from "../../store/interface/store.ts";
import { getBot, openExistingStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { InputError } from "../exit-code.ts";
import { formatInstant, formatJson, formatTable } from "../format.ts";
import { parseExpiry } from "../option-values.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** `parley token …` */
export function addTokenCommands(program: Command, terminal: Terminal): void {
  const token = program.command("token").description("create, list and revoke embed tokens");
  addExamples(token, "parley token create --bot acme-support", "parley token list");
  addTokenCreate(token, terminal);
  addTokenList(token, terminal);
  addTokenRevoke(token, terminal);
}

/** `parley token create` */
function addTokenCreate(token: Command, terminal: Terminal): void {
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

const MAX_BOTS = 3;

/** `parley token list` */
function addTokenList(token: Command, terminal: Terminal): void {
  const command = token
    .command("list")
    .description("list embed tokens by id; the tokens themselves are not stored")
    .option("--json", "print JSON");
  addExamples(addSettings(command, ["data", "store"]), "parley token list", "parley token list --json");
  command.action(async (options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const tokens = (await store.embedTokens.list()).map((stored) => describeToken(stored, terminal.now()));
    if (options.json) return terminal.print(formatJson({ tokens }));
    if (tokens.length === 0)
      return terminal.say("no embed tokens yet; create one with `parley token create`");
    const rows = tokens.map(({ id, state, botIds, label = "", createdAt, expiresAt = "never" }) => [
      id,
      state,
      listBots(botIds),
      label,
      createdAt,
      expiresAt,
    ]);
    terminal.print(formatTable(["ID", "STATE", "BOTS", "LABEL", "CREATED", "EXPIRES"], rows));
  });
}

/** A token may be for more bots than fit on a line; `--json` lists all. */
function listBots(botIds: readonly string[]): string {
  if (botIds.length === 0) return "(none left)";
  const rest = botIds.length - MAX_BOTS;
  // One further bot is named, because "and one more" would not be shorter.
  return rest > 1 ? `${botIds.slice(0, MAX_BOTS).join(", ")} and ${rest} more` : botIds.join(", ");
}

function describeToken(token: StoredEmbedToken, now: EpochMs) {
  const { id, botIds, label, createdAt, expiresAt, revokedAt } = token;
  return {
    id,
    state: embedTokenState(token, now),
    botIds,
    ...(label !== undefined && { label }),
    createdAt: formatInstant(createdAt),
    ...(expiresAt !== undefined && { expiresAt: formatInstant(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: formatInstant(revokedAt) }),
  };
}

/** `parley token revoke` */
function addTokenRevoke(token: Command, terminal: Terminal): void {
  const command = token
    .command("revoke")
    .description("revoke an embed token; running servers reject it within a second")
    .argument("<token-id>", "id that `parley token list` shows, or the token itself");
  addExamples(addSettings(command, ["data", "store"]), "parley token revoke et_…");
  command.action(async (given, options) => {
    await using store = await openExistingStore(terminal, readConfig(terminal, options));
    const id = await idOf(store, given);
    if (!(await store.embedTokens.revoke(id))) throw await unknownToken(store, id);
    terminal.say(`${id} is revoked`);
  });
}

/** Accepts a token instead of its id: an operator who learns of a leaked token often has nothing else. */
async function idOf({ embedTokens }: Store, given: string): Promise<string> {
  const embedToken = parseEmbedToken(given);
  return (embedToken && (await embedTokens.findByHash(hashEmbedToken(embedToken)))?.id) ?? given;
}

async function unknownToken({ embedTokens }: Store, id: string): Promise<InputError> {
  if (parseEmbedToken(id)) return new InputError("this token is unknown here");
  const known = (await embedTokens.list()).map((stored) => stored.id);
  return new InputError(`no embed token \`${id}\`${didYouMean(id, known)}`);
}
