import type { Command } from "@commander-js/extra-typings";

import type { Config } from "../../config/config.ts";
import { parseStoreAddress, type StoreAddress } from "../../config/store-address.ts";
import { copyToFolder, type Copied, copyToPostgres } from "../../store/copy/copy.ts";
import { describeContents, withCopyProgress } from "../copy-progress.ts";
import { requireStore } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { UsageError } from "../exit-code.ts";
import { counted, formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

/** The database of PARLEY_STORE or the config file. */
const CONFIGURED = "postgres";

const STOPPED = {
  postgres:
    "stopped; the same command continues from here, and until it has finished no server accepts the database",
  folder: "stopped; nothing was kept, and the same command starts again",
};

/** `parley copy` */
export function addCopy(program: Command, terminal: Terminal): void {
  const command = program
    .command("copy")
    .description(
      "copy a data folder into an empty PostgreSQL database, or such a database into a new data folder, and compare both row by row.\n" +
        "Refused while a server runs on what is copied, which stays as it is. An interrupted copy to PostgreSQL continues where it stopped.",
    )
    .option(
      "--from <place>",
      `the data folder, or \`${CONFIGURED}\`: the database that PARLEY_STORE or the config file names (default: the folder that PARLEY_DATA or the config file names)`,
    )
    .option(
      "--to <place>",
      `\`${CONFIGURED}\`, or a new or empty folder; a database may be named as postgres://user@host/database, without a password (default: ${CONFIGURED})`,
    )
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, []),
    "PARLEY_STORE='postgres://parley:…@db.internal/parley' parley copy --from /var/lib/parley --to postgres",
    "PARLEY_STORE='postgres://parley:…@db.internal/parley' parley copy --from postgres --to /var/lib/parley-back",
    "parley copy --from data --to postgres://parley@localhost/parley",
  );
  command.action(async (options) => {
    const { from = "", to, json } = options;
    const isBack = isDatabase(from);
    if (isBack) refuseSecondDatabase(to);
    const config = readConfig(terminal, { ...options, data: isBack ? to : options.from });
    const address = addressOf(config, isBack ? { "--from": from } : { "--to": to ?? CONFIGURED });
    await requireStore(isBack ? { data: config.data, store: address } : { data: config.data });
    const parts = { dataDir: config.data, address, now: terminal.now, by: terminal.actor() };
    const copied = await withCopyProgress(
      terminal,
      (reins) => (isBack ? copyToFolder : copyToPostgres)({ ...parts, ...reins }),
      isBack ? STOPPED.folder : STOPPED.postgres,
    );
    const { database, rows, mendedTexts } = copied;
    const ends = isBack ? { from: address, to: database } : { from: database, to: address };
    if (json) return terminal.print(formatJson({ ...ends, rows, mendedTexts }));
    terminal.say(linesOf(copied, address, isBack).join("\n"));
  });
}

function isDatabase(place: string): boolean {
  return place === CONFIGURED || place.includes("://");
}

function refuseSecondDatabase(to: string | undefined): void {
  if (to === undefined) throw new UsageError("give the folder to create: --to DIR");
  if (isDatabase(to))
    throw new UsageError(
      "--from and --to are both databases; copy between databases with `pg_dump` and `pg_restore`, or give a folder",
    );
}

/** The database named by an option. @throws UsageError whose text does not repeat the address, because it may contain a password. */
function addressOf({ store }: Config, given: Readonly<Record<string, string>>): StoreAddress {
  const [[option, text]] = Object.entries(given) as [[string, string]];
  const address = text === CONFIGURED ? store : parse(option, text);
  if (!address)
    throw new UsageError(`give the database: PARLEY_STORE=postgres://… (or ${option}, without a password)`);
  if (text === CONFIGURED || !address.holdsPassword) return address;
  throw new UsageError(
    `${option} contains a password, which other users of this machine can see in the command line; use \`${option} ${CONFIGURED}\`, and give the address in PARLEY_STORE or as \`store\` in the config file`,
  );
}

function parse(option: string, text: string): StoreAddress {
  try {
    return parseStoreAddress(text);
  } catch (error) {
    throw new UsageError(`${option} ${(error as Error).message}`, { cause: error });
  }
}

function linesOf(
  { database, rows, mendedTexts }: Copied,
  { shown }: StoreAddress,
  isBack: boolean,
): string[] {
  const { bots = 0, embed_tokens: embedTokens = 0, conversations = 0, turns = 0 } = rows;
  const [from, to] = isBack ? [shown, database] : [database, shown];
  const lines = [
    `copied ${describeContents({ bots, embedTokens, conversations, turns })}`,
    `from ${from} to ${to}; both were compared and are equal`,
  ];
  if (mendedTexts > 0) {
    lines.push(
      `${counted(mendedTexts, "text")} contained a null character, which PostgreSQL cannot store: it was replaced by U+FFFD`,
    );
  }
  return [
    ...lines,
    isBack
      ? "start servers without PARLEY_STORE on this folder; messages sent to a server on the database after this are not in the copy"
      : "start servers with PARLEY_STORE; messages sent to a server on the old folder after this are not in the copy",
  ];
}
