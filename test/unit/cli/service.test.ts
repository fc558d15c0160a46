import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isMountedNoexec } from "../../../src/cli/commands/service.ts";
import { ownCommand } from "../../../src/domain/own-command.ts";
import { formatServiceUnit, quoteArgument, type ServiceUnit } from "../../../src/operate/service-unit.ts";
import { type CliOptions, runInTerminal } from "../../support/cli.ts";

const UNIT: ServiceUnit = {
  command: ["/usr/local/bin/parley", "serve"],
  data: "/var/lib/parley",
  user: undefined,
  files: ["/usr/local/bin/parley"],
  needsLowPort: false,
  needsKeys: false,
  isTmpNoexec: false,
};

/** The settings of a unit; of one that stands there twice, the last. */
function parse(unit: string): Record<string, string> {
  const lines = unit.split("\n").filter((line) => /^\w+=/.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
}

const unitOf = (fields: Partial<ServiceUnit> = {}) => parse(formatServiceUnit({ ...UNIT, ...fields }));

async function service(args: string[], options: CliOptions = {}) {
  const result = await runInTerminal(["service", ...args], options);
  return { ...result, unit: parse(result.stdout) };
}

describe("the unit", () => {
  test("starts again whatever happens, but not with settings that are wrong", () => {
    const { Restart, RestartPreventExitStatus, StartLimitIntervalSec } = unitOf();
    expect({ Restart, RestartPreventExitStatus, StartLimitIntervalSec }).toEqual({
      Restart: "always",
      RestartPreventExitStatus: "2",
      StartLimitIntervalSec: "0",
    });
  });

  test("gives the server more time to stop than it takes", () => {
    expect(Number(unitOf().TimeoutStopSec)).toBeGreaterThan(10 + 2);
  });

  test("leaves the JIT on", () => {
    expect(unitOf().MemoryDenyWriteExecute).toBe("no");
  });

  test("gives no rights beyond the data folder", () => {
    expect(unitOf()).toMatchObject({
      DynamicUser: "yes",
      StateDirectory: "parley",
      StateDirectoryMode: "0700",
      ProtectSystem: "strict",
      ProtectHome: "yes",
      PrivateTmp: "yes",
      NoNewPrivileges: "yes",
      CapabilityBoundingSet: "",
      PrivateUsers: "yes",
    });
  });

  test("of a low port may listen there", () => {
    const { AmbientCapabilities, CapabilityBoundingSet, PrivateUsers } = unitOf({ needsLowPort: true });
    expect([AmbientCapabilities, CapabilityBoundingSet]).toEqual([
      "CAP_NET_BIND_SERVICE",
      "CAP_NET_BIND_SERVICE",
    ]);
    expect(PrivateUsers).toBeUndefined();
  });

  test("of a folder elsewhere may write there, as its owner", () => {
    const unit = unitOf({ data: "/srv/parley", user: "bots" });
    expect(unit).toMatchObject({ User: "bots", ReadWritePaths: "/srv/parley", ProtectHome: "yes" });
    expect([unit.DynamicUser, unit.StateDirectory, unit.BindPaths]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("shows the server what lies in homes that it cannot see", () => {
    const unit = unitOf({ data: "/home/ann/data", user: "ann", files: ["/home/ann/parley"] });
    expect(unit).toMatchObject({
      ProtectHome: "tmpfs",
      BindPaths: "/home/ann/data",
      ReadWritePaths: "/home/ann/data",
      BindReadOnlyPaths: "/home/ann/parley",
    });
  });

  test("of a folder with spaces in its name names the folder, with no quotes where systemd keeps them", () => {
    expect(unitOf({ data: "/var/lib/par ley 5%" })).toMatchObject({
      WorkingDirectory: "/var/lib/par ley 5%%",
      StateDirectory: '"par ley 5%%"',
    });
  });

  test("unpacks the driver elsewhere where nothing in /tmp can be executed", () => {
    expect(unitOf().Environment).toBeUndefined();
    expect(unitOf({ isTmpNoexec: true })).toMatchObject({
      CacheDirectory: "parley",
      Environment: "BUN_TMPDIR=/var/cache/parley",
    });
  });

  test("takes keys from a file, never from the unit", () => {
    expect(unitOf().EnvironmentFile).toBeUndefined();
    expect(unitOf({ needsKeys: true }).EnvironmentFile).toBe("/etc/parley.env");
  });
});

test.each([
  ["--port", "--port"],
  ["50%", "50%%"],
  ["$HOME", "$$HOME"],
  ["two words", '"two words"'],
  ['{"a": "b\\c"}', '"{\\"a\\": \\"b\\\\c\\"}"'],
  [";", '";"'],
  ["", '""'],
])("systemd reads %p where it stands as %s", (word, quoted) => {
  expect(quoteArgument(word)).toBe(quoted);
});

test.each([
  ["tmpfs /tmp tmpfs rw,noexec 0 0", true],
  ["/dev/a / ext4 rw,noexec 0 0\ntmpfs /tmp tmpfs rw 0 0", false],
  ["tmpfs /tmp/other tmpfs rw,noexec 0 0", false],
  ["/dev/a / ext4 rw,noexec 0 0", true],
  ["tmpfs /tmpfoo tmpfs rw,noexec 0 0", false],
  ["", false],
])("of %j, /tmp is noexec: %p", (mounts, isNoexec) => {
  expect(isMountedNoexec("/tmp", mounts)).toBe(isNoexec);
});

test("an executable runs itself; from the sources, Bun runs them", () => {
  expect(ownCommand("/usr/local/bin/parley", "file:///$bunfs/root/parley")).toEqual([
    "/usr/local/bin/parley",
  ]);
  expect(ownCommand("C:\\parley.exe", "file:///B:/~BUN/root/parley.exe")).toEqual(["C:\\parley.exe"]);
  expect(ownCommand("/usr/bin/bun", "file:///p/src/domain/own-command.ts")).toEqual([
    "/usr/bin/bun",
    "/p/src/main.ts",
  ]);
});

describe("parley service", () => {
  test("passes on what it was given by flags and variables, and no more", async () => {
    const env = { PARLEY_PORT: "8000", PARLEY_LOG_LEVEL: "warn", HOME: "/root" };
    const { exitCode, unit } = await service(["--log-level", "error", "--demo"], { env });
    expect(unit.ExecStart).toEndWith(
      " serve --data /var/lib/parley --must-exist --port 8000 --log-level error --demo",
    );
    expect(exitCode).toBe(0);
  });

  test("names folders whole, wherever it is called", async () => {
    const { unit } = await service(["--data", "data", "--user", "ann"]);
    expect(unit.ExecStart).toContain(`--data ${process.cwd()}/data`);
  });

  test("asks for a user where systemd cannot make one's folder", async () => {
    const { exitCode, stdout, stderr } = await service(["--data", "/srv/parley"]);
    expect(stderr).toContain("give the user that owns it with --user");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  });

  test("refuses a user that systemd would not take", async () => {
    const { exitCode, stdout, stderr } = await service(["--user", "bad name"]);
    expect(stderr).toContain("--user: `bad name` is not a valid user name");
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  });

  test.skipIf(process.platform !== "linux")("tells that this machine has no such user", async () => {
    const LINE = "this machine has no user";
    expect((await service(["--user", "nobody-of-this-name"])).stderr).toContain(
      `${LINE} \`nobody-of-this-name\``,
    );
    expect((await service(["--user", "root"])).stderr).not.toContain(LINE);
    expect((await service([])).stderr).not.toContain(LINE);
  });

  test("says how to have backups made where none are", async () => {
    expect((await service([])).stderr).toContain("--backup-every 6h");
    expect((await service(["--backup-every", "6h"])).stderr).not.toContain("--backup-every");
  });

  test("says where keys go, and prints none", async () => {
    const models = JSON.stringify({
      local: { baseUrl: "http://127.0.0.1:1/v1", model: "m", apiKeyEnv: "LOCAL_KEY" },
    });
    const { stdout, stderr, unit } = await service([], {
      env: { PARLEY_MODELS: models, LOCAL_KEY: "sk-secret" },
    });
    expect(unit.EnvironmentFile).toBe("/etc/parley.env");
    expect(stderr).toContain("/etc/parley.env");
    expect(stdout + stderr).not.toContain("sk-secret");
  });

  test("refuses settings that `serve` would refuse", async () => {
    expect(await service(["--port", "x"])).toMatchObject({ exitCode: 2, stdout: "" });
  });
});

/** Offline, `security` looks at files from this version on. */
const OFFLINE_SINCE = 250;
const version = /\d+/.exec(
  Bun.which("systemd-analyze") ? Bun.spawnSync(["systemd-analyze", "--version"]).stdout.toString() : "",
);

/** Systemd's own opinion, on machines that have it. */
describe.skipIf(Number(version?.[0] ?? 0) < OFFLINE_SINCE)("systemd", () => {
  const analyze = async (args: string[], settings: string[] = []) => {
    const folder = mkdtempSync(join(tmpdir(), "parley-unit-"));
    const file = join(folder, "parley.service");
    const { stdout } = await service([
      "--public-url",
      "https://chat.example",
      "--models",
      '{"a": {"baseUrl": "http://127.0.0.1:1/$v%1", "model": "m"}}',
      ...settings,
    ]);
    writeFileSync(file, stdout);
    const child = Bun.spawnSync(["systemd-analyze", ...args, file]);
    rmSync(folder, { recursive: true });
    return { exitCode: child.exitCode, complaints: child.stderr.toString() };
  };

  test.each([["/var/lib/parley"], ["/var/lib/par ley"]])(
    "finds nothing wrong with the unit of %s",
    async (data) => {
      const { complaints } = await analyze(["verify", "--man=no"], ["--data", data]);
      expect(complaints.split("\n").filter((line) => line.includes("parley.service"))).toEqual([]);
    },
  );

  test("counts an exposure of 2 of 10 at most", async () => {
    const { exitCode, complaints } = await analyze([
      "security",
      "--offline=true",
      "--no-pager",
      "--threshold=20",
    ]);
    expect({ exitCode, complaints }).toEqual({ exitCode: 0, complaints: "" });
  });
});

describe("webhooks", () => {
  const crm = { url: "https://hooks.example/T0/c4nary?key=c4nary", secretEnv: "CRM_SECRET" };
  const desk = { url: "https://desk.example/", secretEnv: "DESK_SECRET" };
  const secret = "whsec_c4nary";

  test("are told of under systemd: the unit reads the environment file, and each secret that is set, or is not, is named", async () => {
    const env = { PARLEY_WEBHOOKS: JSON.stringify({ crm, desk }), CRM_SECRET: secret };
    const { stdout, stderr, unit } = await service([], { env });
    expect(unit.EnvironmentFile).toBe("/etc/parley.env");
    expect(unit.ExecStart).not.toContain("--webhooks");
    expect(stderr).toContain("Put CRM_SECRET, DESK_SECRET, PARLEY_WEBHOOKS into /etc/parley.env");
    expect(stderr).toContain("chmod 600 /etc/parley.env");
    expect(stderr).toContain("Set in this environment: CRM_SECRET, PARLEY_WEBHOOKS\n");
    expect(stderr).toContain("Not set in this environment: DESK_SECRET\n");
    expect(stdout + stderr).not.toContain("c4nary");
  });

  test("that a flag names with a secret address are in no unit either", async () => {
    const { stdout, stderr, unit } = await service(["--webhooks", JSON.stringify({ crm })]);
    expect(unit.ExecStart).not.toContain("--webhooks");
    expect(stderr).toContain("Put CRM_SECRET, PARLEY_WEBHOOKS into /etc/parley.env");
    expect(stdout + stderr).not.toContain("c4nary");
  });

  test("that the config file names have their secrets in the environment file all the same", async () => {
    const configFile = JSON.stringify({ webhooks: { crm } });
    const { stdout, stderr, unit } = await service(["--config", "/etc/parley.yaml"], { configFile });
    expect(unit.EnvironmentFile).toBe("/etc/parley.env");
    expect(stderr).toContain("Put CRM_SECRET into /etc/parley.env");
    expect(stdout + stderr).not.toContain("c4nary");
  });
});

describe("a password in a setting", () => {
  test("is in no unit: the environment file holds it", async () => {
    const env = { PARLEY_BUCKETS: "redis://:s3cret@buckets.example" };
    const { stdout, stderr, unit } = await service([], { env });
    expect(stdout + stderr).not.toContain("s3cret");
    expect(unit.ExecStart).not.toContain("--buckets");
    expect(unit.EnvironmentFile).toBe("/etc/parley.env");
    expect(stderr).toContain("Put PARLEY_BUCKETS into /etc/parley.env");
  });

  test("that has none is a flag like any", async () => {
    const { unit } = await service([], { env: { PARLEY_BUCKETS: "redis://buckets.example" } });
    expect(unit.ExecStart).toContain("--buckets redis://buckets.example");
    expect(unit.EnvironmentFile).toBeUndefined();
  });

  test("that the config file holds stays there, and no environment file is asked for", async () => {
    const configFile = "buckets: redis://:s3cret@buckets.example\n";
    const { stdout, stderr, unit } = await service(["--config", "/etc/parley.yaml"], { configFile });
    expect(unit.ExecStart).toEndWith("--config /etc/parley.yaml");
    expect(stdout + stderr).not.toContain("s3cret");
    expect(unit.EnvironmentFile).toBeUndefined();
  });
});
