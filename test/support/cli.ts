import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pc from "picocolors";

import { runCli } from "../../src/cli/program.ts";
import type { StopSignal, Terminal } from "../../src/cli/terminal.ts";
import { loadConfig } from "../../src/config/config.ts";
import { secureRandomBytes } from "../../src/domain/ids.ts";
import { startServer } from "../../src/http/server.ts";

export interface CliResult {
  exitCode: number;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  stdin?: string;
  env?: Record<string, string>;
  now?: number;
  /** Contents of the config file, whatever its name; absent: there is none. */
  configFile?: string;
  /** Answer to every question; absent: there is no terminal, and a question is an error. */
  confirm?: boolean;
  onStopSignal?: (listener: (signal: StopSignal) => void) => () => void;
}

/** A data folder of its own and the command line over it. */
export class CliFixture implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "parley-cli-"));
  readonly data = join(this.folder, "data");

  /** Runs `parley …` in this process, with this fixture's data folder. */
  run(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
    return runInTerminal(args, { ...options, env: { PARLEY_DATA: this.data, ...options.env } });
  }

  /** Seeds minimal bots. */
  async seed(...ids: string[]): Promise<void> {
    const documents = ids.map((id) => ({ id, name: `The ${id} bot`, allowedDomains: ["example.com"] }));
    const stdin = documents.map((document) => JSON.stringify(document)).join("\n---\n");
    const { exitCode, stderr } = await this.run(["seed", "-"], { stdin });
    if (exitCode !== 0) throw new Error(stderr);
  }

  /** Serves the data folder during one conversation with a bot. @returns the request ids of its turns. */
  async converse(
    botId: string,
    inputs: readonly string[],
  ): Promise<{ conversationId: string; requestIds: string[] }> {
    const { stdout: token } = await this.run(["token", "create", "--bot", botId]);
    const flags = { data: this.data, port: "0", operatorPort: "0", logLevel: "silent" };
    const server = await startServer(loadConfig({ flags, env: {}, readFile: () => "" }));
    const requestIds: string[] = [];
    let conversationId: string | undefined;
    try {
      for (const input of inputs) {
        const response = await fetch(`${server.localUrl}/chat`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token.trim()}`, "Content-Type": "application/json" },
          body: JSON.stringify({ botId, input, conversationId }),
        });
        if (!response.ok) throw new Error(await response.text());
        ({ conversationId } = (await response.json()) as { conversationId: string });
        requestIds.push(response.headers.get("X-Request-Id") ?? "");
      }
    } finally {
      await server.close();
    }
    return { conversationId: conversationId ?? "", requestIds };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export async function runInTerminal(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const { terminal, stdout, stderr } = recordingTerminal(options);
  const exitCode = await runCli(args, terminal);
  return { exitCode, stdout: stdout.join(""), stderr: stderr.join("") };
}

/** A terminal that records everything written to it, write by write. */
export function recordingTerminal(options: CliOptions = {}) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const terminal: Terminal = {
    env: options.env ?? {},
    actor: () => ({ kind: "user", name: "ann" }),
    print: (text) => void stdout.push(`${text}\n`),
    write: async (text) => void stdout.push(text),
    say: (text) => void stderr.push(`${text}\n`),
    isErrTerminal: false,
    showProgress: () => undefined,
    colours: { out: pc.createColors(false), err: pc.createColors(false) },
    isInteractive: options.confirm !== undefined,
    confirm: async () => {
      if (options.confirm === undefined) throw new Error("asked a question without a terminal");
      return options.confirm;
    },
    readStdin: async () => new TextEncoder().encode(options.stdin ?? ""),
    async *inputLines() {
      yield* (options.stdin ?? "").split("\n").filter((line) => line !== "");
    },
    readFile: (path) => {
      if (options.configFile !== undefined) return options.configFile;
      throw new Error(`ENOENT: no such file ${path}`);
    },
    onStopSignal: options.onStopSignal ?? (() => () => undefined),
    onDefect: () => () => undefined,
    now: () => options.now ?? Date.UTC(2026, 10, 21, 12),
    randomBytes: secureRandomBytes,
  };
  return { terminal, stdout, stderr };
}

/** Sends one SIGTERM once the command waits for it; a second would end the test process. */
export function stopOnce(): (listener: (signal: StopSignal) => void) => () => void {
  let sent = false;
  return (listener) => {
    if (!sent) queueMicrotask(() => listener("SIGTERM"));
    sent = true;
    return () => {};
  };
}
