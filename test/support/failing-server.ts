/**
 * A server in a process of its own, from the sources, with an unhandled rejection: `bun failing-server.ts FOLDER`. It ends like `parley serve`. With
 * `hanging` after the folder, it never finishes the messages in flight.
 */
import { serveUntilStopped } from "../../src/cli/commands/serve.ts";
import { explainFailure } from "../../src/cli/exit-code.ts";
import { processTerminal } from "../../src/cli/terminal.ts";
import { loadConfig } from "../../src/config/config.ts";
import { startServer } from "../../src/http/server.ts";

const flags = { data: process.argv[2]!, port: "0", operatorPort: "0" };
const server = await startServer(loadConfig({ flags, env: {}, readFile: () => "" }));
const [close, times] =
  process.argv[3] === "hanging"
    ? [() => new Promise<void>(() => {}), { longestStopMs: 1 }]
    : [() => server.close(), {}];
setTimeout(() => void Promise.reject(new Error("nobody catches this")));
try {
  await serveUntilStopped({ ...server, close }, processTerminal(), times);
  process.exit(0);
} catch (error) {
  process.exit(explainFailure(error).exitCode);
}
