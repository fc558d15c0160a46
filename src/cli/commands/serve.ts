import { join } from "node:path";

import type { Command } from "@commander-js/extra-typings";

import { configWarnings } from "../../config/addresses.ts";
import type { Config } from "../../config/config.ts";
import { SETTING_NAMES } from "../../config/settings.ts";
import type { RunningServer } from "../../http/server.ts";
import { holdsDatabase, newDatabaseWarning, refuseNewDatabase } from "../../store/marker.ts";
import { openStore } from "../data-folder.ts";
import { listDemoPages } from "../demo-pages.ts";
import { keepDemoToken } from "../demo-token.ts";
import { addExamples } from "../examples.ts";
import { EXIT } from "../exit-code.ts";
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
    const server = await startServer(config, demo && { demoToken: demo.demoToken });
    terminal.say(`Parley answers at ${server.publicUrl}, for operators at ${server.operatorUrl}`);
    if (demo) terminal.say(["Demo pages:", ...listDemoPages(server.publicUrl, demo.bots)].join("\n"));
    await serveUntilStopped(server, terminal);
  });
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
  return { bots: await store.bots.list(), demoToken: await keepDemoToken(store, terminal, config.data) };
}

/** Resolves when the server has stopped after a signal; a second signal ends the process at once. */
export async function serveUntilStopped(server: RunningServer, terminal: Terminal): Promise<void> {
  const signal = await nextStopSignal(terminal);
  const askedAt = performance.now();
  terminal.say(`${signal}: finishing what is in flight; once more stops at once`);
  const stopListening = terminal.onStopSignal(() => process.exit(EXIT.serviceFailed));
  await server.close();
  stopListening();
  terminal.say(`stopped after ${((performance.now() - askedAt) / 1000).toFixed(1)} s`);
}

function nextStopSignal({ onStopSignal }: Terminal): Promise<StopSignal> {
  return new Promise((resolve) => {
    const stopListening = onStopSignal((signal) => {
      stopListening();
      resolve(signal);
    });
  });
}
