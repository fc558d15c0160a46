import { resolve } from "node:path";

import type { Command } from "@commander-js/extra-typings";

import { exampleOrigin, getDomainRules } from "../../access/allowed-domain.ts";
import type { Config } from "../../config/config.ts";
import { SETTING_NAMES } from "../../config/settings.ts";
import type { EmbedToken } from "../../domain/ids.ts";
import type { RunningServer } from "../../http/server.ts";
import { issueSignInLink } from "../../operate/sign-in.ts";
import type { BotOutline, StoredBot } from "../../store/interface/bots.ts";
import type { Store } from "../../store/interface/store.ts";
import { refuseNewDatabase } from "../../store/sqlite/marker.ts";
import { UnusableDatabaseError } from "../../store/unusable-database.ts";
import { widgetAssets } from "../../widget/assets.ts";
import type { WidgetAsset } from "../../widget/build.ts";
import { pinnableLoader, widgetSnippet } from "../../widget/snippet.ts";
import { openStore } from "../data-folder.ts";
import { keepDemoToken, listDemoPages } from "../demo.ts";
import { addExamples } from "../examples.ts";
import { botsToRead, fetchSettings, readBots, storeRead } from "../refresh-bots.ts";
import { startSampleOrders } from "../sample-orders.ts";
import { sampleBots, samplesFolder, writeSampleDocuments } from "../samples.ts";
import { trainDocuments } from "../seed-documents.ts";
import { addSettings, readConfig } from "../settings-options.ts";
import type { Terminal } from "../terminal.ts";
import { sayWarnings, serveUntilStopped } from "./serve.ts";

const DEFAULTS = { demo: true, logLevel: "warn" } as const;

/** `parley quickstart` */
export function addQuickstart(program: Command, terminal: Terminal): void {
  const command = program
    .command("quickstart")
    .description(
      "serve sample bots with a demo page for each; existing bots are kept.\n\n" +
        "Takes every setting of `parley serve`; demo pages are on, and only warnings are logged.",
    );
  addExamples(
    addSettings(command, SETTING_NAMES),
    "parley quickstart",
    "parley quickstart --data /tmp/try-parley --port 8000",
  );
  command.action(async (options) => {
    const config = readConfig(terminal, options, DEFAULTS);
    sayWarnings(terminal, config);
    const { checkListeners, startServer } = await import("../../http/server.ts");
    await checkListeners(config);
    const { bots, shown, demoToken } = await prepare(terminal, config);
    using orders = startSampleOrders(terminal.now);
    // Endpoints of the settings override those of the samples.
    const endpoints = { ...orders.endpoints, ...config.endpoints };
    const server = await startServer({ ...config, endpoints }, { demoToken });
    const stopped = serveUntilStopped(server, terminal);
    const console = await inviteOwner(terminal, config, server);
    const loader = pinnableLoader(await widgetAssets());
    terminal.say(welcome(server, { bots, shown, demoToken, loader, console }));
    await stopped;
  });
}

async function prepare(terminal: Terminal, config: Config) {
  const { data, store: address, mustExist } = config;
  if (mustExist && !address) refuseNewDatabase(data);
  await using store = await openStore(terminal, { data, store: address });
  await seedSamplesWhereEmpty(store, terminal, config);
  const bots = await store.bots.outline();
  const shown = await findShown(store, bots);
  return { bots, shown, demoToken: await keepDemoToken(store, terminal, data) };
}

/** The first bot that visitors can reach. Unreadable bots are skipped; the server's log names them. */
async function findShown(store: Store, bots: readonly BotOutline[]): Promise<StoredBot | undefined> {
  for (const { id } of bots.filter(({ enabled }) => enabled)) {
    try {
      return await store.bots.find(id);
    } catch (error) {
      if (!(error instanceof UnusableDatabaseError)) throw error;
    }
  }
  return undefined;
}

async function seedSamplesWhereEmpty(store: Store, terminal: Terminal, config: Config): Promise<void> {
  if ((await store.bots.listOthers([])).length > 0) return;
  const samples = sampleBots();
  terminal.say(`training ${samples.length} sample bots`);
  const models = await trainDocuments(store, terminal, samples);
  await store.bots.seed(samples, { dryRun: false, prune: false }, models);
  await writeSampleDocuments(config.data);
  const folder = resolve(samplesFolder(config.data));
  const toRead = await botsToRead(
    store,
    samples.map((document) => ({ document, folder })),
  );
  await storeRead(store, terminal, await readBots(store, terminal, toRead, fetchSettings(config)));
}

const OWNER = "owner";

/** Creates the first operator and prints how to sign in: by link until there is a password. */
async function inviteOwner(
  terminal: Terminal,
  { data, store: address }: Config,
  { operatorUrl }: RunningServer,
): Promise<string[]> {
  await using store = await openStore(terminal, { data, store: address });
  if (!(await store.operators.isAny())) await store.operators.add({ name: OWNER, role: "owner" });
  const owner = await store.operators.find(OWNER);
  if (owner === undefined || owner.passwordHash !== undefined) {
    return [`Sign in as an operator: ${operatorUrl} (\`parley operator link NAME\` prints a link)`];
  }
  const link = await issueSignInLink({ ...terminal, store, operatorUrl }, OWNER);
  return [`Sign in as operator \`${OWNER}\`, once and within 15 minutes:`, `  ${link!.url}`];
}

interface Welcomed {
  bots: readonly BotOutline[];
  /** The example bot shown. */
  shown: StoredBot | undefined;
  demoToken: EmbedToken;
  loader: Pick<WidgetAsset, "integrity">;
  console: readonly string[];
}

function welcome(
  { publicUrl, cdnUrl, operatorUrl }: RunningServer,
  { bots, shown, demoToken: token, loader, console }: Welcomed,
): string {
  const first = shown?.id ?? "";
  const origin = shown && exampleOrigin(getDomainRules(shown.document.allowedDomains));
  return [
    "",
    "Parley is running. Demo pages:",
    ...listDemoPages(publicUrl, bots),
    "",
    "To put a bot on your page:",
    `  ${widgetSnippet({ publicUrl, cdnUrl, botId: first, embedToken: token })}`,
    `  (the widget's SRI hash: ${loader.integrity}; \`parley bot snippet --pinned\` uses it)`,
    "",
    "To send it a message from a shell:",
    `  curl ${publicUrl}/chat -H 'Authorization: Bearer ${token}' \\`,
    ...(origin === undefined ? [] : [`    -H 'Origin: ${origin}' \\`]),
    `    -H 'Content-Type: application/json' -d '{"botId": "${first}", "input": "Hello"}'`,
    "",
    ...console,
    "",
    `Metrics: ${operatorUrl}/metrics. Stop with Ctrl+C; bots and conversations are kept.`,
  ].join("\n");
}
