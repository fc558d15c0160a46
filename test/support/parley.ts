import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pino from "pino";

import { hashEmbedToken, newEmbedToken } from "../../src/access/secrets.ts";
import { type FlagValues, loadConfig } from "../../src/config/config.ts";
import type { BotDocument } from "../../src/domain/bot.ts";
import { type BotId, type EmbedToken, newEmbedTokenId, secureRandomBytes } from "../../src/domain/ids.ts";
import { type RunningServer, type ServerParts, startServer } from "../../src/http/server.ts";
import type { Store } from "../../src/store/interface/store.ts";
import { shopBot } from "./bots.ts";
import { openTestStore, type TestStore } from "./store-under-test.ts";

export interface ParleyOptions {
  bots?: BotDocument[];
  flags?: FlagValues;
  /** Settings as environment variables. */
  env?: Record<string, string>;
  parts?: ServerParts;
  /** Receives the server's log lines. */
  onLog?: (line: Record<string, unknown>) => void;
}

interface ChatOptions {
  token?: string | null;
  headers?: Record<string, string>;
}

/** A real server on loopback with a database of its own, and a second connection to it, like an operator's command. */
export class TestParley implements AsyncDisposable {
  readonly store: Store;
  /** Runs a statement directly on the database. */
  readonly runSql: TestStore["runSql"];
  readonly server: RunningServer;
  readonly token: EmbedToken;
  /** Folder of the database. */
  readonly dataDir: string;

  /** Environment by which a command uses the same store. */
  readonly env: Record<string, string>;
  readonly #drop: () => Promise<void>;
  #ended: Promise<void> | undefined;

  constructor({ store, flags, drop, runSql }: TestStore, server: RunningServer, token: EmbedToken) {
    this.store = store;
    this.runSql = runSql;
    this.dataDir = flags.data;
    this.env = { PARLEY_DATA: flags.data, ...(flags.store !== undefined && { PARLEY_STORE: flags.store }) };
    this.#drop = drop;
    this.server = server;
    this.token = token;
  }

  get url(): string {
    return this.server.localUrl;
  }

  /** POST /chat with a JSON body; text or bytes are sent unchanged. */
  chat(body: unknown, { token = this.token, headers = {} }: ChatOptions = {}): Promise<Response> {
    const isRaw = typeof body === "string" || body instanceof Uint8Array;
    return fetch(`${this.url}/chat`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        ...(token !== null && { Authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: isRaw ? (body as BodyInit) : JSON.stringify(body),
    });
  }

  /** Sends `input` to a bot and returns the parsed 200. */
  async say(input: string, fields: { botId?: string; conversationId?: string } = {}) {
    const response = await this.chat({ botId: "shop", input, ...fields });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return (await response.json()) as ChatResponseBody;
  }

  issueToken(botIds: string[], expiresAt?: number): Promise<EmbedToken> {
    return issueToken(this.store, botIds, expiresAt);
  }

  /** Ends the server; the store stays for others. */
  endServer(): Promise<void> {
    this.#ended ??= this.server.close();
    return this.#ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endServer();
    await this.store[Symbol.asyncDispose]();
    await this.#drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }
}

export interface ChatResponseBody {
  conversationId: string;
  response: string;
  intentDetected?: string;
  metadata: Record<string, unknown>;
}

/** Starts a server with `bots` (by default, the shop) and a token for all of them. */
export async function startParley(options: ParleyOptions = {}): Promise<TestParley> {
  const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
  const opened = await openTestStore(dataDir, options.parts?.now ?? Date.now);
  const { store } = opened;
  const bots = options.bots ?? [shopBot()];
  await store.bots.seed(bots, { prune: false, dryRun: false });
  const token = await issueToken(
    store,
    bots.map((bot) => bot.id),
  );
  const config = loadConfig({
    flags: { ...opened.flags, port: "0", operatorPort: "0", rateLimitCapacity: "100000", ...options.flags },
    env: options.env ?? {},
    readFile: () => "",
  });
  const log = options.onLog ? captureLog(options.onLog) : pino({ level: "silent" });
  const server = await startServer(config, { log, ...options.parts });
  await server.encoded();
  return new TestParley(opened, server, token);
}

export async function issueToken(
  store: Store,
  botIds: readonly string[],
  expiresAt?: number,
): Promise<EmbedToken> {
  const token = newEmbedToken(secureRandomBytes);
  await store.embedTokens.create({
    id: newEmbedTokenId(Date.now(), secureRandomBytes),
    hash: hashEmbedToken(token),
    botIds: botIds as BotId[],
    ...(expiresAt !== undefined && { expiresAt }),
  });
  return token;
}

function captureLog(onLog: (line: Record<string, unknown>) => void) {
  return pino({ level: "trace" }, { write: (text: string) => onLog(JSON.parse(text)) });
}
