import type { Command } from "@commander-js/extra-typings";

import { parseStoreAddress, type StoreAddress } from "../../config/store-address.ts";
import { type Copied, copyDataFolder } from "../../store/copy/copy-data-folder.ts";
import { describeContents, withCopyProgress } from "../copy-progress.ts";
import { requireDatabase } from "../data-folder.ts";
import { addExamples } from "../examples.ts";
import { UsageError } from "../exit-code.ts";
import { counted, formatJson } from "../format.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";

const STOPPED =
  "stopped; the same command goes on where it was, and until it has finished no server takes the database";

/** `parley copy` */
export function addCopy(program: Command, terminal: Terminal): void {
  const command = program
    .command("copy")
    .description(
      "copy a data folder into an empty PostgreSQL database, and compare both row by row; one that was interrupted goes on where it was.\n" +
        "Refused while a server runs on the folder, which stays as it is.",
    )
    .option("--from <folder>", "the data folder (default: the one that PARLEY_DATA or the config file names)")
    .option(
      "--to <url>",
      "the database, as postgres://user@host/database, without a password (default: the one that PARLEY_STORE or the config file names)",
    )
    .option("--json", "print JSON");
  addExamples(
    addSettings(command, []),
    "PARLEY_STORE='postgres://parley:…@db.internal/parley' parley copy --from /var/lib/parley",
    "parley copy --from data --to postgres://parley@localhost/parley",
  );
  command.action(async (options) => {
    const { from, to, json } = options;
    const config = readConfig(terminal, { ...options, data: from });
    const address = to === undefined ? config.store : parseTarget(to);
    if (!address)
      throw new UsageError("name the database: PARLEY_STORE=postgres://… (or --to, without a password)");
    requireDatabase(config);
    const { data: dataDir } = config;
    const copied = await withCopyProgress(
      terminal,
      (reins) => copyDataFolder({ dataDir, address, now: terminal.now, by: terminal.actor(), ...reins }),
      STOPPED,
    );
    const { database, rows, mendedTexts } = copied;
    if (json) return terminal.print(formatJson({ from: database, to: address, rows, mendedTexts }));
    terminal.say(linesOf(copied, address).join("\n"));
  });
}

/** @throws UsageError that repeats nothing of what may be a password. */
function parseTarget(text: string): StoreAddress {
  const address = parse(text);
  if (!address.holdsPassword) return address;
  throw new UsageError(
    "--to holds a password, which a command line shows to every user of this machine; leave --to out, and give the address by PARLEY_STORE, or as `store` in the config file",
  );
}

function parse(text: string): StoreAddress {
  try {
    return parseStoreAddress(text);
  } catch (error) {
    throw new UsageError(`--to ${(error as Error).message}`, { cause: error });
  }
}

function linesOf({ database, rows, mendedTexts }: Copied, { shown }: StoreAddress): string[] {
  const { bots = 0, embed_tokens: embedTokens = 0, conversations = 0, turns = 0 } = rows;
  const lines = [
    `copied ${describeContents({ bots, embedTokens, conversations, turns })}`,
    `from ${database} to ${shown}; both were read again, and are the same`,
  ];
  if (mendedTexts > 0) {
    lines.push(
      `${counted(mendedTexts, "text")} held a character 0, which PostgreSQL does not keep: U+FFFD stands there now`,
    );
  }
  return [
    ...lines,
    "start servers with PARLEY_STORE; what is said to a server on the old folder is not in the copy",
  ];
}
