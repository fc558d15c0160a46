import { join } from "node:path";

import type { Command } from "@commander-js/extra-typings";

import { configWarnings } from "../../config/addresses.ts";
import type { Config } from "../../config/config.ts";
import { SETTING_NAMES } from "../../config/settings.ts";
import type { RunningServer } from "../../http/server.ts";
import { holdsDatabase, newDatabaseWarning, refuseNewDatabase } from "../../store/sqlite/marker.ts";
import { openStore } from "../data-folder.ts";
import { keepDemoToken, listDemoPages } from "../demo.ts";
import { addExamples } from "../examples.ts";
import { CheckFailedError, EXIT } from "../exit-code.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { StopSignal, Terminal } from "../terminal.ts";

/** `parley serve` */
export function addServe(program: Command, terminal: Terminal): void {
  const command = program
    .command("serve")
    .description(
      "answer visitors; SIGTERM finishes what is in flight and stops.\n\n" +
        "Each setting is taken from its flag, its environment variable (env) or the config file (file), in this order.",
    );
  addExamples(
    addSettings(command, SETTING_NAMES),
    "parley serve --data /var/lib/parley --public-url https://chat.example --trust-proxy 127.0.0.1",
    "PARLEY_PORT=8000 parley serve --config parley.yaml",
  );
  command.action(async (options) => {
    const config = readConfig(terminal, options);
    sayWarnings(terminal, config);
    const { startServer } = await import("../../http/server.ts");
    const demo = config.demo ? await prepareDemo(terminal, config) : undefined;
    const server = await startServer(config, {
      ...(demo && { demoToken: demo.demoToken }),
      onUpgrade: terminal.say,
    });
    // Listens for signals before the server announces itself, so that no early signal is missed.
    const stopped = serveUntilStopped(server, terminal);
    const visitors = whereAndFor(server.localUrl, config.publicUrl);
    const operators = whereAndFor(server.localOperatorUrl, config.operatorUrl);
    terminal.say(`Parley answers at ${visitors}, for operators at ${operators}`);
    if (demo) terminal.say(["Demo pages:", ...listDemoPages(server.publicUrl, demo.bots)].join("\n"));
    await stopped;
  });
}

/** The address of a listener, and the public address given to browsers. Setting up a proxy needs both. */
function whereAndFor(local: string, told: string | undefined): string {
  return told === undefined || told === local ? local : `${local} (for browsers ${told})`;
}

export function sayWarnings({ say, colours }: Terminal, config: Config): void {
  for (const warning of configWarnings(config)) say(`${colours.err.yellow("warning:")} ${warning}`);
}

async function prepareDemo(terminal: Terminal, config: Config) {
  const { data, mustExist, store: address } = config;
  if (mustExist && !address) refuseNewDatabase(data);
  const isNew = !address && !holdsDatabase(join(data, "parley.db"));
  await using store = await openStore(terminal, config);
  if (isNew) terminal.say(`${terminal.colours.err.yellow("warning:")} ${newDatabaseWarning(data)}`);
  return { bots: await store.bots.outline(), demoToken: await keepDemoToken(store, terminal, config.data) };
}

/** Time limit for stopping after an uncaught error: three times the limit for turns in progress. */
const MAX_STOP_MS = 30_000;

/**
 * Resolves when the server has stopped after a signal. A second signal ends the process at once. After a defect the process ends with exit
 * code 3 if the server does not stop in time.
 *
 * @throws CheckFailedError after an uncaught error, because the server's state can no longer be trusted.
 */
export async function serveUntilStopped(
  server: RunningServer,
  terminal: Terminal,
  { longestStopMs = MAX_STOP_MS } = {},
): Promise<void> {
  const defect = Promise.withResolvers<"a defect">();
  const forgetDefects = terminal.onDefect((error) => {
    server.log.fatal({ err: error }, "uncaught error: the server finishes turns in progress and stops");
    defect.resolve("a defect");
  });
  const reason = await Promise.race([nextStopSignal(terminal), defect.promise]);
  const askedAt = performance.now();
  const isDefect = reason === "a defect";
  if (!isDefect) server.log.info({ signal: reason }, "stop requested: the server finishes turns in progress");
  const end = isDefect ? setTimeout(() => cut(terminal, longestStopMs), longestStopMs) : undefined;
  terminal.say(`${reason}: finishing turns in progress; a second signal stops at once`);
  const stopListening = terminal.onStopSignal(() => process.exit(EXIT.serviceFailed));
  await server.close();
  clearTimeout(end);
  stopListening();
  forgetDefects();
  terminal.say(`stopped after ${((performance.now() - askedAt) / 1000).toFixed(1)} s`);
  if (isDefect)
    throw new CheckFailedError(
      "this is a defect in Parley, please report it; the last fatal line of the log has the details",
    );
}

function cut({ say }: Terminal, afterMs: number): never {
  say(`not stopped after ${afterMs / 1000} s: turns in progress are aborted`);
  process.exit(EXIT.serviceFailed);
}

function nextStopSignal({ onStopSignal }: Terminal): Promise<StopSignal> {
  return new Promise((resolve) => {
    const stopListening = onStopSignal((signal) => {
      stopListening();
      resolve(signal);
    });
  });
}
