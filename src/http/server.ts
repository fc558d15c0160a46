import type { Server } from "bun";

import { parseTrustedProxies, type TrustedProxies } from "../access/client-address.ts";
import { type PublicAddresses, publicAddresses } from "../config/addresses.ts";
import type { Config } from "../config/config.ts";
import { waitAtMost } from "../domain/waiting.ts";
import { openConsole } from "../operate/console/open-console.ts";
import { Workshop } from "../operate/workshop.ts";
import { openRuntime, type Runtime, type RuntimeParts } from "../runtime.ts";
import { openRehearsal } from "../runtime/open-rehearsal.ts";
import { TriedEndpoints } from "../runtime/open-servers.ts";
import { configuredNames } from "../seed/configured-names.ts";
import { createPublicApp, type PublicApp } from "./app.ts";
import { type AssetSets, ownAssets, type ServedAssets } from "./asset-sets.ts";
import { descriptorLimit, DescriptorWatch, fewDescriptors } from "./descriptor-watch.ts";
import { EarlierAssets } from "./earlier-assets.ts";
import { createReadiness } from "./health.ts";
import { keepAssets } from "./keep-assets.ts";
import { listenError, type PortFlag } from "./listen-error.ts";
import { operatorParts } from "./operator-parts.ts";
import { createOperatorApp } from "./operator.ts";
import type { Connections } from "./request-context.ts";

/** Time limit for turns in progress when the server stops. */
const DRAIN_MS = 10_000;
/** Idle keep-alive connections are closed after this time. */
const IDLE_TIMEOUT_SECONDS = 60;
/** Longer than any model responder's time limit. */
const MAX_ANSWER_SECONDS = 250;
/** No limit (0 in Bun) for operators' requests, which may train and read for long. */
const UNLIMITED_SECONDS = 0;
/** Many more than there are simultaneous visitors with an open hand-off. */
const MAX_EVENT_STREAMS = 1000;
const EVENT_STREAMS_SHARE = 1 / 4;

/** Parts that tests and commands replace. */
export interface ServerParts extends RuntimeParts {
  /** Files for browsers; default: those of this executable or these sources. */
  assets?: AssetSets;
}

export interface RunningServer extends PublicAddresses {
  /** Actual address of the public listener; `publicUrl` may be a proxy. */
  localUrl: string;
  /** Actual address of the operator listener. */
  localOperatorUrl: string;
  /** Public address of the operator listener. */
  operatorUrl: string;
  log: Runtime["log"];
  /** Resolves when everything is encoded, or an attempt has failed. */
  encoded: Runtime["encoded"];
  /** Stops accepting requests, finishes turns in progress (10 s at most), and checkpoints. */
  close(): Promise<void>;
}

/**
 * Opens the database, loads the bots and listens.
 *
 * @throws UnusableDatabaseError
 * @throws ListenError
 */
export async function startServer(config: Config, parts: ServerParts = {}): Promise<RunningServer> {
  const trustedProxies = trustedProxiesOf(config);
  await using opening = new AsyncDisposableStack();
  const runtime = opening.use(await openRuntime(config, { mostEventStreams: mostEventStreams(), ...parts }));
  let addresses: PublicAddresses = publicAddresses(config, config.port);
  const workshop = opening.use(openWorkshop(config, runtime, parts, () => addresses));
  const operatorConsole = opening.use(openConsole(runtime));
  const listeners: Server<undefined>[] = [];
  opening.defer(async () => void (await Promise.all(listeners.map(drain))));
  opening.defer(watchDescriptors(runtime, listeners));
  // Registered last, so that it is closed first: listeners wait for open streams.
  opening.use(runtime.handoffEvents);
  const assertReady = createReadiness(runtime.store);
  const connections = connectionsOf(() => publicListener);
  const built = parts.assets ?? ownAssets();
  const assets = serveWithEarlier(built, runtime);
  const app = createPublicApp({
    ...runtime,
    assertReady,
    trustedProxies,
    addresses: () => addresses,
    connections,
    assets,
  });
  const operatorUrl = () => config.operatorUrl ?? operatorListener.url.origin;
  const operator = createOperatorApp(
    operatorParts(
      config,
      { ...runtime, ...operatorConsole, workshop, assets },
      {
        assertReady,
        trustedProxies,
        connections: connectionsOf(() => operatorListener, UNLIMITED_SECONDS),
        addresses: () => addresses,
        operatorUrl,
      },
    ),
  );
  const publicListener = listen("port", config.host, config.port, app);
  listeners.push(publicListener);
  addresses = publicAddresses(config, publicListener.port ?? config.port);
  const operatorListener = listen("operator-port", config.operatorHost, config.operatorPort, operator);
  listeners.push(operatorListener);
  opening.defer(keepAssets({ ...runtime, assets: built }));
  const opened = opening.move();
  return {
    ...addresses,
    localUrl: publicListener.url.origin,
    localOperatorUrl: operatorListener.url.origin,
    operatorUrl: operatorUrl(),
    log: runtime.log,
    encoded: runtime.encoded,
    close: () => opened.disposeAsync(),
  };
}

/** Files of this build and stored ones of others. */
function serveWithEarlier(
  { widget, console }: AssetSets,
  { store: { assets: store }, log }: Runtime,
): ServedAssets {
  const earlier = new EarlierAssets({ store, log, steadyNow: () => performance.now() });
  return { widget, console, findEarlier: (path) => earlier.find(path) };
}

/** Where operators try bots, each with a store in memory. */
function openWorkshop(
  config: Config,
  { store, log, ...runtime }: Runtime,
  { env }: RuntimeParts,
  addresses: () => PublicAddresses,
): Workshop {
  const { templateOrigins } = config;
  const endpoints = new TriedEndpoints(runtime.endpoints, log);
  return new Workshop({
    store,
    configured: configuredNames(config),
    bundles: () => ({ ...addresses(), templateOrigins }),
    openRehearsal: (document, model, own) =>
      openRehearsal(config, document, model, { ...own, endpoints, ...(env && { env }) }),
  });
}

function connectionsOf(listener: () => Server<undefined>, longestSeconds = MAX_ANSWER_SECONDS): Connections {
  return {
    peerOf: (received) => listener().requestIP(received)?.address ?? "",
    keepOpen: (received) => listener().timeout(received, longestSeconds),
  };
}

/** Limits open streams, so that most descriptors are left for visitors who write. */
function mostEventStreams(): number {
  return Math.min(MAX_EVENT_STREAMS, Math.floor((descriptorLimit() ?? Infinity) * EVENT_STREAMS_SHARE));
}

function watchDescriptors(
  { log, metrics }: Pick<Runtime, "log" | "metrics">,
  listeners: readonly Server<undefined>[],
): () => void {
  const limit = descriptorLimit();
  if (limit === undefined) return () => {};
  const warning = fewDescriptors(limit);
  if (warning !== undefined) log.warn({ limit }, warning);
  const closeIdleConnections = () => {
    return listeners.reduce((closed, listener) => closed + listener.closeIdleConnections(), 0);
  };
  return new DescriptorWatch({ log, metrics, limit, closeIdleConnections }).start();
}

function trustedProxiesOf({ trustProxy }: Config): TrustedProxies {
  const parsed = parseTrustedProxies(trustProxy.join(","));
  if (!parsed.ok) throw new Error(`--trust-proxy: ${parsed.message}`);
  return parsed.proxies;
}

/**
 * Binds the server's ports for a moment, so that a caller can check them before longer work.
 *
 * @throws ListenError
 */
export async function checkListeners({ host, port, operatorHost, operatorPort }: Config): Promise<void> {
  const answerNothing = () => Promise.resolve(new Response(null, { status: 503 }));
  for (const [flag, hostname, number] of [
    ["port", host, port],
    ["operator-port", operatorHost, operatorPort],
  ] as const) {
    await listen(flag, hostname, number, answerNothing).stop(true);
  }
}

function listen(flag: PortFlag, hostname: string, port: number, fetch: PublicApp): Server<undefined> {
  try {
    return Bun.serve({
      hostname,
      port,
      fetch,
      reusePort: false,
      idleTimeout: IDLE_TIMEOUT_SECONDS,
      // Too large bodies get Parley's own error, after the checks before it; unread bytes are discarded.
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
      development: false,
    });
  } catch (error) {
    throw listenError({ flag, hostname, port }, error as NodeJS.ErrnoException);
  }
}

async function drain(server: Server<undefined>): Promise<void> {
  await waitAtMost(server.stop(), DRAIN_MS);
  await server.stop(true);
}
