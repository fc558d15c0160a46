import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
  closeSync,
} from "node:fs";
import { join } from "node:path";

import { loadConfig } from "../../../src/config/config.ts";
import { startServer } from "../../../src/http/server.ts";
import type { Finding } from "../../../src/operate/doctor/finding.ts";
import { writeRestoreMarker } from "../../../src/store/sqlite/backup/unfinished-restore.ts";
import { Sqlite } from "../../../src/store/sqlite/driver.ts";
import { CliFixture, type CliResult } from "../../support/cli.ts";
import { fails, says, startModelServer } from "../../support/model-server.ts";

let fixture: CliFixture;
beforeEach(() => void (fixture = new CliFixture()));
afterEach(() => fixture[Symbol.dispose]());

/** Of no examples, so that nothing takes time to be trained. */
const BOT = JSON.stringify({
  id: "acme",
  name: "Acme",
  allowedDomains: ["*"],
  intents: [{ name: "hours", responses: ["At nine."] }],
  defaultIntent: "hours",
});

/** Ports that nobody listens on: of 0, a server takes a free one. */
const NO_PORTS = ["--port", "0", "--operator-port", "0"];

const NOW = Date.now();

const sound = new CliFixture();
beforeAll(async () => {
  await sound.run(["seed", "-", "--no-review"], { stdin: BOT, now: NOW });
  await sound.run(["token", "create", "--bot", "acme"], { now: NOW });
  await sound.run(["backup"], { now: NOW });
});
afterAll(() => sound[Symbol.dispose]());

/** Gives the fixture a data folder with nothing wrong, and a backup in it. */
function makeSound(): void {
  cpSync(sound.data, fixture.data, { recursive: true });
}

/** The same, without backups. */
function makeSoundWithoutBackups(): void {
  makeSound();
  rmSync(join(fixture.data, "backups"), { recursive: true });
}

const database = () => join(fixture.data, "parley.db");

async function examine(...args: string[]): Promise<CliResult & { findings: Finding[]; severity: string }> {
  const result = await fixture.run(["doctor", "--json", ...NO_PORTS, ...args], { now: NOW });
  return { ...result, ...(JSON.parse(result.stdout) as { findings: Finding[]; severity: string }) };
}

const notFine = (findings: readonly Finding[]) =>
  findings
    .filter(({ severity }) => severity !== "fine")
    .map(({ check, severity }) => `${check}: ${severity}`);

describe("parley doctor", () => {
  test("of a sound installation says so, and ends with 0", async () => {
    makeSound();
    const { exitCode, stdout, stderr } = await fixture.run(["doctor", ...NO_PORTS], { now: NOW });
    expect(stdout).toContain("integrity        every table and every index is sound");
    expect(stdout).not.toContain("→");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "nothing to do\n" });
  });

  test("prints each finding with its cure, and ends with 1 where something is to mend", async () => {
    await fixture.run(["seed", "-", "--no-review"], { stdin: BOT, now: NOW });
    const { exitCode, stdout, stderr } = await fixture.run(["doctor", ...NO_PORTS], { now: NOW });
    expect(stdout).toMatch(
      /^mend +bots +`acme`: no valid embed token.*\n +→ parley token create --bot BOT$/m,
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: "error: 1 to mend, 1 hint\n" });
  });

  test("counts a hint as no fault", async () => {
    makeSound();
    await fixture.run(["bot", "disable", "acme"]);
    const { exitCode, severity, findings } = await examine();
    expect(notFine(findings)).toEqual(["bots: hint"]);
    expect({ exitCode, severity }).toEqual({ exitCode: 0, severity: "hint" });
  });

  test("changes nothing, makes nothing of a mistyped folder, and takes no claim", async () => {
    makeSound();
    const before = readFileSync(database());
    await examine();
    expect(readFileSync(database()).equals(before)).toBe(true);
    expect(existsSync(join(fixture.data, "parley.lock"))).toBe(false);
    await examine("--data", join(fixture.folder, "mistyped"));
    expect(existsSync(join(fixture.folder, "mistyped"))).toBe(false);
  });

  test("looks at what kind of file system the data folder is on", async () => {
    makeSound();
    const { findings } = await examine("--quick");
    expect(findings).toContainEqual(expect.objectContaining({ check: "file-system", severity: "fine" }));
  });

  test("leaves integrity and model servers out with --quick", async () => {
    makeSound();
    const checks = async (...args: string[]) => (await examine(...args)).findings.map(({ check }) => check);
    expect(await checks()).toContain("integrity");
    const quick = await checks("--quick");
    expect(quick).not.toContain("integrity");
    expect(quick).not.toContain("model-servers");
    expect(quick).toContain("bots");
  });
});

describe("a stored bot", () => {
  test("whose tests fail, or whose profile names what is not there, is named; --quick runs no tests", async () => {
    const faulty = JSON.stringify({
      ...(JSON.parse(BOT) as object),
      capabilityProfile: { deny: ["prices"] },
      tests: [
        { utterance: "when do you open", intent: "hours" },
        { utterance: "what does it cost", decision: "DENY_LIST" },
      ],
    });
    const seed = ["seed", "-", "--no-review", "--accept-faults"];
    expect((await fixture.run(seed, { stdin: faulty, now: NOW })).exitCode).toBe(0);
    await fixture.run(["token", "create", "--bot", "acme"], { now: NOW });
    const names = {
      check: "bots",
      severity: "mend",
      message: expect.stringContaining("`acme`: `allow` or `deny` name intents that are not there") as string,
    };
    const tests = {
      check: "bots",
      severity: "mend",
      message: "`acme`: `tests` fail, and visitors are answered all the same",
    };
    const ofBots = async (...args: string[]) =>
      (await examine(...args)).findings.filter(({ check }) => check === "bots");
    expect(await ofBots()).toMatchObject([names, tests]);
    expect(await ofBots("--quick")).toMatchObject([names]);
  });

  test("with tests is announced before they run, as that may take long", async () => {
    const tests = [{ utterance: "when do you open", intent: "hours", decision: "allowed" }];
    const tested = JSON.stringify({ ...(JSON.parse(BOT) as object), tests });
    await fixture.run(["seed", "-", "--no-review"], { stdin: tested, now: NOW });
    expect((await examine()).stderr).toContain("running the tests of 1 bot; --quick skips this");
    expect((await examine("--quick")).stderr).not.toContain("running the tests");
  });

  test("whose tests pass is not", async () => {
    const tested = JSON.stringify({
      ...(JSON.parse(BOT) as object),
      tests: [{ utterance: "when do you open", intent: "hours", decision: "allowed" }],
    });
    await fixture.run(["seed", "-", "--no-review"], { stdin: tested, now: NOW });
    await fixture.run(["token", "create", "--bot", "acme"], { now: NOW });
    expect(notFine((await examine()).findings)).toEqual(["backups: hint"]);
  });
});

describe("a data folder", () => {
  test("that is not there is to be named", async () => {
    const { exitCode, findings } = await examine();
    expect(notFine(findings)).toEqual(["data-folder: mend"]);
    expect(exitCode).toBe(1);
  });

  test("that is a file is broken", async () => {
    writeFileSync(fixture.data, "");
    const { exitCode, findings } = await examine();
    expect(notFine(findings)).toEqual(["data-folder: broken"]);
    expect(exitCode).toBe(3);
  });

  test.each<[string, () => void, string]>([
    ["whose database was cut to nothing", () => truncateSync(database(), 0), "is empty"],
    [
      "whose database is gone, and its log is not",
      () => {
        rmSync(database());
        rmSync(`${database()}.marker`);
        writeFileSync(`${database()}-wal`, "x");
      },
      "the write-ahead log of a database that is gone",
    ],
    ["whose database is gone", () => rmSync(database()), "held a database, and it is gone"],
    [
      "into which a restore was interrupted",
      () => writeRestoreMarker(database(), `${database()}.before-restore`),
      "was interrupted",
    ],
    [
      "whose database is a folder",
      () => {
        rmSync(database());
        mkdirSync(database());
      },
      "is not a file",
    ],
    [
      "whose database is something else",
      () => writeFileSync(database(), "x".repeat(9000)),
      "is not a Parley database",
    ],
    [
      "whose lock is garbage",
      () => writeFileSync(join(fixture.data, "parley.lock"), "17012"),
      "not the lock file",
    ],
    ["whose lock is a folder", () => mkdirSync(join(fixture.data, "parley.lock")), "not the lock file"],
  ])("%s is broken", async (_, damage, message) => {
    makeSound();
    damage();
    const { exitCode, findings } = await examine();
    const broken = findings.filter(({ severity }) => severity === "broken");
    expect(broken.map((finding) => finding.check)).toEqual(["data-folder"]);
    expect(broken[0]!.message).toContain(message);
    expect(exitCode).toBe(3);
  });

  test("of another program, or of a newer Parley, is broken", async () => {
    makeSound();
    const db = new Sqlite(database());
    db.pragma("user_version = 9999");
    expect(notFine((await examine()).findings)).toEqual(["data-folder: broken"]);
    db.pragma("application_id = 7");
    expect(notFine((await examine()).findings)).toEqual(["data-folder: broken"]);
    db.close();
  });

  test("with a page of zeros in a table is broken, and the table is named", async () => {
    makeSound();
    const db = new Sqlite(database());
    const root = Number(db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'turns'").pluck().get());
    const pageSize = Number(db.pragma("page_size", { simple: true }));
    db.close();
    const file = openSync(database(), "r+");
    writeSync(file, Buffer.alloc(pageSize), 0, pageSize, (root - 1) * pageSize);
    closeSync(file);
    const { exitCode, findings } = await examine();
    const found = findings.find(({ check }) => check === "integrity");
    expect(found?.severity).toBe("broken");
    expect(found?.message).toContain("turns");
    expect(exitCode).toBe(3);
  });

  test.skipIf(process.platform === "win32")("that everybody may look into is to be mended", async () => {
    makeSound();
    chmodSync(fixture.data, 0o755);
    chmodSync(database(), 0o644);
    expect(notFine((await examine()).findings)).toEqual(["rights: mend"]);
    chmodSync(fixture.data, 0o700);
    expect(notFine((await examine()).findings)).toEqual([]);
  });

  test.skipIf(process.platform === "win32")(
    "is to be mended where everybody may read the password in its config file",
    async () => {
      makeSound();
      const file = join(fixture.folder, "parley.yaml");
      writeFileSync(file, "smtp: smtp://ann:secret@localhost:1\nmailFrom: a@example.com\n");
      const found = async () => {
        const args = ["doctor", "--json", "--quick", ...NO_PORTS, "--config", file];
        const configFile = readFileSync(file, "utf8");
        const { stdout } = await fixture.run(args, { now: NOW, configFile });
        return (JSON.parse(stdout) as { findings: Finding[] }).findings.filter(
          ({ severity }) => severity !== "fine",
        );
      };
      chmodSync(fixture.folder, 0o755);
      chmodSync(file, 0o644);
      expect(await found()).toEqual([
        {
          check: "rights",
          severity: "mend",
          message: `every user of this machine can read ${file}, which holds the secret of \`smtp\``,
          cure: `chmod o-rwx ${file}, and then change what was readable`,
        },
      ]);
      // A folder that lets nobody in protects its files.
      chmodSync(fixture.folder, 0o700);
      expect(await found()).toEqual([]);
      chmodSync(fixture.folder, 0o755);
      chmodSync(file, 0o640);
      expect(await found()).toEqual([]);
      chmodSync(file, 0o644);
      writeFileSync(file, "smtp: smtp://localhost:1\nmailFrom: a@example.com\n");
      expect(await found()).toEqual([]);
    },
  );

  test("is held to its backups where it has a folder of them", async () => {
    makeSoundWithoutBackups();
    const backups = join(fixture.data, "backups");
    mkdirSync(backups);
    expect(notFine((await examine()).findings)).toEqual(["backups: hint"]);
    const file = join(backups, "parley-2026.db");
    writeFileSync(file, "x");
    expect(notFine((await examine()).findings)).toEqual(["backups: hint"]);
    cpSync(database(), file);
    expect(notFine((await examine()).findings)).toEqual([]);
    utimesSync(file, new Date(), new Date(NOW - 5 * 24 * 60 * 60 * 1000));
    writeFileSync(join(backups, "parley-2027.db.part"), "x");
    expect(notFine((await examine()).findings)).toEqual(["backups: mend"]);
  });

  test("is told where there are no backups, and that none are made", async () => {
    makeSoundWithoutBackups();
    const { findings } = await examine();
    expect(findings).toContainEqual(
      expect.objectContaining({ check: "backups", cure: expect.stringContaining("--backup-every") }),
    );
  });

  test("is held to the interval in which a server makes backups, folder or not", async () => {
    makeSoundWithoutBackups();
    expect(notFine((await examine("--backup-every", "6h")).findings)).toEqual(["backups: mend"]);
    await fixture.run(["backup"]);
    expect(notFine((await examine("--backup-every", "6h")).findings)).toEqual([]);
  });

  test("whose clock is far ahead is looked at by an operator, who confirms it", async () => {
    makeSound();
    const db = new Sqlite(database());
    db.prepare("UPDATE clock SET heartbeat_at = ?").run(NOW - 30 * 24 * 60 * 60 * 1000);
    db.close();
    expect(notFine((await examine()).findings)).toEqual(["clock: mend"]);
    const { exitCode, stderr } = await fixture.run(["doctor", "--confirm-clock"], { now: NOW });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: `the clock is confirmed: ${new Date(NOW).toISOString().slice(0, 19)}Z\n`,
    });
    expect(notFine((await examine()).findings)).toEqual([]);
  });

  test("that is not there has no clock to confirm, and is not made", async () => {
    expect((await fixture.run(["doctor", "--confirm-clock"])).exitCode).toBe(2);
    expect(existsSync(fixture.data)).toBe(false);
  });

  test("whose messages are of the future tells of the clock", async () => {
    makeSound();
    await fixture.converse("acme", ["when are you open"]);
    const { findings } = JSON.parse(
      (await fixture.run(["doctor", "--json", ...NO_PORTS], { now: NOW - 24 * 60 * 60 * 1000 })).stdout,
    ) as { findings: Finding[] };
    expect(notFine(findings)).toEqual(["clock: mend"]);
  });
});

describe("a model server", () => {
  async function examineWith(settings: object, env: Record<string, string> = {}) {
    makeSound();
    const { stdout } = await fixture.run(["doctor", "--json", ...NO_PORTS], {
      now: NOW,
      env: { PARLEY_MODELS: JSON.stringify({ local: { model: "tiny", ...settings } }), ...env },
    });
    const { findings } = JSON.parse(stdout) as { findings: Finding[] };
    expect(stdout).not.toContain("sk-secret");
    return findings.filter(({ check }) => check === "model-servers").map(({ severity }) => severity);
  }

  test("is fine when it answers, whatever it answers", async () => {
    await using mock = await startModelServer();
    mock.replyWith(says("no list"));
    expect(await examineWith({ baseUrl: mock.baseUrl })).toEqual(["fine"]);
    mock.replyWith(fails(404));
    expect(await examineWith({ baseUrl: mock.baseUrl })).toEqual(["fine"]);
  });

  test("that nobody runs is to be mended", async () => {
    expect(await examineWith({ baseUrl: "http://127.0.0.1:1/v1" })).toEqual(["mend"]);
  });

  test("whose key is missing, or not taken, is to be mended", async () => {
    await using mock = await startModelServer();
    mock.replyWith(fails(401));
    const settings = { baseUrl: mock.baseUrl, apiKeyEnv: "LOCAL_KEY" };
    expect(await examineWith(settings)).toEqual(["mend"]);
    expect(mock.requests).toHaveLength(0);
    expect(await examineWith(settings, { LOCAL_KEY: "sk-secret" })).toEqual(["mend"]);
    expect(mock.requests).toHaveLength(1);
  });
});

describe("where a server would listen", () => {
  test("another program is in the way", async () => {
    makeSound();
    using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("up") });
    const { exitCode, findings } = await examine("--port", String(other.port));
    expect(notFine(findings)).toEqual(["listeners: broken"]);
    expect(exitCode).toBe(3);
  });

  test("a program that speaks no HTTP is in the way", async () => {
    makeSound();
    using other = Bun.listen({
      port: 0,
      hostname: "127.0.0.1",
      socket: { data: (socket) => void socket.end("-ERR\r\n"), open: () => {} },
    });
    expect(notFine((await examine("--operator-port", String(other.port))).findings)).toEqual([
      "listeners: broken",
    ]);
  });
});

describe("beside a running server", () => {
  /** Serves the folder while `use` runs; the flags name its listeners. */
  async function whileServing(use: (url: string, flags: string[]) => Promise<void>, trustProxy?: string) {
    const flags = { data: fixture.data, port: "0", operatorPort: "0", logLevel: "silent", trustProxy };
    const server = await startServer(loadConfig({ flags, env: {}, readFile: () => "" }));
    const portOf = (url: string) => new URL(url).port;
    const listeners = ["--port", portOf(server.localUrl), "--operator-port", portOf(server.operatorUrl)];
    try {
      await use(server.localUrl, listeners);
    } finally {
      await server.close();
    }
  }

  test("knows it for Parley, and says that it is ready", async () => {
    makeSound();
    await whileServing(async (_, flags) => {
      const { exitCode, findings } = await examine(...flags);
      expect(notFine(findings)).toEqual([]);
      expect(findings.find(({ check }) => check === "listeners")?.message).toBe("a server runs and is ready");
      expect(exitCode).toBe(0);
      expect(statSync(join(fixture.data, "parley.lock")).size).toBe(0);
    });
  });

  test("with other ports, says that a server of this folder has other ports", async () => {
    makeSound();
    await whileServing(async () => {
      const { exitCode, findings } = await examine();
      expect(notFine(findings)).toEqual(["listeners: hint"]);
      const { message } = findings.find(({ check }) => check === "listeners")!;
      expect(message).toContain("a server is registered in this data folder: it has other ports");
      expect(exitCode).toBe(0);
    });
    const { findings } = await examine();
    expect(findings.find(({ check }) => check === "listeners")!.message).toEndWith("the ports are free");
  });

  test("finds that it acknowledges nothing any more", async () => {
    makeSound();
    await whileServing(async (url, flags) => {
      renameSync(database(), `${database()}.away`);
      while ((await fetch(`${url}/readyz`)).ok) await Bun.sleep(50);
      renameSync(`${database()}.away`, database());
      const { exitCode, findings } = await examine(...flags);
      expect(notFine(findings)).toEqual(["listeners: broken", "storage: broken"]);
      expect(exitCode).toBe(3);
    });
  });

  test("finds a proxy that the server does not trust, by what it forwards", async () => {
    makeSound();
    const forwarded = { method: "POST", headers: { "X-Forwarded-For": "203.0.113.7" } };
    await whileServing(async (url, flags) => {
      await fetch(`${url}/chat`, { method: "POST" });
      expect(notFine((await examine(...flags)).findings)).toEqual([]);
      await fetch(`${url}/chat`, forwarded);
      const { exitCode, findings } = await examine(...flags);
      expect(notFine(findings)).toEqual(["proxy: mend"]);
      expect(exitCode).toBe(1);
    });
    await whileServing(async (url, flags) => {
      await fetch(`${url}/chat`, forwarded);
      expect(notFine((await examine(...flags)).findings)).toEqual([]);
    }, "127.0.0.1");
  });

  test("--ready is 0 while it is ready, and 3 when it is gone", async () => {
    makeSound();
    let port: string[] = [];
    await whileServing(async (_, flags) => {
      port = flags.slice(0, 2);
      const { exitCode, stdout } = await fixture.run(["doctor", "--ready", ...port]);
      expect({ exitCode, stdout }).toMatchObject({
        exitCode: 0,
        stdout: expect.stringContaining("is ready"),
      });
    });
    const { exitCode, stdout } = await fixture.run(["doctor", "--ready", ...port]);
    expect(stdout).toContain("no Parley answers");
    expect(exitCode).toBe(3);
  });
});
