import { describe, expect, test } from "bun:test";

import { configWarnings, publicAddresses } from "../../../src/config/addresses.ts";
import { type ConfigSources, loadConfig } from "../../../src/config/config.ts";
import { SETTINGS, SETTING_NAMES, flagOf, variableOf } from "../../../src/config/settings.ts";

function load(given: Partial<ConfigSources> & { file?: string } = {}) {
  return loadConfig({
    flags: given.file === undefined ? {} : { config: "parley.yaml" },
    env: {},
    readFile: () => given.file ?? "",
    ...given,
  });
}

function failToRead(): never {
  throw Object.assign(new Error("ENOENT: no such file"), { code: "ENOENT" });
}

describe("precedence", () => {
  test("every setting has its default when nothing is given", () => {
    const config: Record<string, unknown> = load();
    for (const name of SETTING_NAMES) expect(config[name]).toEqual(SETTINGS[name].default);
  });

  test("a flag goes before a variable, a variable before the file, the file before the default", () => {
    const file = "port: 3\nhost: file.example\noperatorPort: 33\n";
    const env = { PARLEY_PORT: "2", PARLEY_HOST: "env.example" };
    const config = load({ file, env, flags: { config: "parley.yaml", port: "1" } });
    expect(config).toMatchObject({
      port: 1,
      host: "env.example",
      operatorPort: 33,
      operatorHost: "127.0.0.1",
    });
  });

  test("a command's own defaults give way to every other source", () => {
    const defaults = { logLevel: "warn", demo: true } as const;
    expect(load({ defaults })).toMatchObject({ logLevel: "warn", demo: true });
    expect(load({ defaults, env: { PARLEY_DEMO: "false" } }).demo).toBe(false);
  });

  test("an empty variable counts as none", () => {
    expect(load({ env: { PARLEY_PORT: "" } }).port).toBe(8787);
  });

  test("the file is named by PARLEY_CONFIG where no flag names one", () => {
    const paths: string[] = [];
    const readFile = (path: string) => {
      paths.push(path);
      return "port: 4";
    };
    expect(load({ env: { PARLEY_CONFIG: "a.yaml" }, readFile }).port).toBe(4);
    load({ env: { PARLEY_CONFIG: "a.yaml" }, flags: { config: "b.yaml" }, readFile });
    expect(paths).toEqual(["a.yaml", "b.yaml"]);
  });

  test("the result is frozen", () => {
    expect(Object.isFrozen(load())).toBe(true);
  });
});

describe("names", () => {
  test("flag and variable follow from the setting's name", () => {
    expect(flagOf("rateLimitPerMinute")).toBe("--rate-limit-per-minute");
    expect(variableOf("rateLimitPerMinute")).toBe("PARLEY_RATE_LIMIT_PER_MINUTE");
  });

  test("an interval is milliseconds", () => {
    expect(load({ file: "backupEvery: 6h" }).backupEvery).toBe(21_600_000);
    expect(load({ flags: { backupEvery: "90m" } }).backupEvery).toBe(5_400_000);
  });

  test("a list in the file reads like its comma-separated form", () => {
    const file = "trustProxy:\n  - 10.0.0.0/8\n  - 'fd00::/8'\n";
    expect(load({ file }).trustProxy).toEqual(
      load({ env: { PARLEY_TRUST_PROXY: "10.0.0.0/8, fd00::/8" } }).trustProxy,
    );
  });
});

describe("a mistake is one line that names the source and the remedy", () => {
  test.each([
    [{ env: { PARLEY_PROT: "1" } }, "unknown environment variable PARLEY_PROT; did you mean `PARLEY_PORT`?"],
    [{ env: { PARLEY_FOO: "1" } }, "unknown environment variable PARLEY_FOO"],
    [
      { file: "id: acme\nname: Acme\nintents:\n  - {name: a}" },
      "parley.yaml holds `intents`, so it looks like a bot file, which `parley seed` takes; a config file holds settings",
    ],
    [{ file: "extras:\n  - {name: a}" }, "parley.yaml:1:1: unknown setting `extras`"],
    [{ env: { PARLEY_PORT: "http" } }, "PARLEY_PORT should be a whole number from 0 to 65535, not `http`"],
    [{ flags: { port: "65536" } }, "--port should be a whole number from 0 to 65535, not `65536`"],
    [{ file: "port: 80\nhots: x" }, "parley.yaml:2:1: unknown setting `hots`; did you mean `host`?"],
    [{ file: "port: true" }, "parley.yaml:1:1: port should be a whole number from 0 to 65535, not `true`"],
    [
      { file: "public-url: http://x" },
      "parley.yaml:1:1: unknown setting `public-url`; did you mean `publicUrl`?",
    ],
    [{ file: "port: 1\nport: 2" }, "config file: parley.yaml:2:1: Map keys must be unique"],
    [{ file: "port: {a: 1}" }, "config file: parley.yaml:1:1: port: should be one value or a list of values"],
    [{ file: "- port" }, "config file: parley.yaml: should list settings, as in `port: 8787`"],
    [
      { flags: { logLevel: "loud" } },
      "--log-level should be one of trace, debug, info, warn, error, fatal, silent, not `loud`",
    ],
    [{ file: "encoder: no" }, "parley.yaml:1:1: encoder should be one of on, off, not `no`"],
    [{ flags: { demo: "maybe" } }, "--demo should be true or false, not `maybe`"],
    [
      { env: { PARLEY_RETENTION_DAYS: "0" } },
      "PARLEY_RETENTION_DAYS should be a whole number from 1 to 1000000, not `0`",
    ],
    [{ flags: { backupEvery: "6" } }, "--backup-every should be a time as 6h, 30m or 1d, at most a year"],
    [{ env: { PARLEY_BACKUP_EVERY: "0h" } }, "PARLEY_BACKUP_EVERY should be a time as 6h, 30m or 1d"],
    [{ file: "backupEvery: 60w" }, "parley.yaml:1:1: backupEvery should be a time as 6h, 30m or 1d"],
  ])("%j", (given, message) => {
    expect(() => load(given)).toThrow(message);
  });

  test("an invalid value is reported even where a stronger source overrides it", () => {
    expect(() => load({ file: "port: x", flags: { config: "parley.yaml", port: "1" } })).toThrow(
      "parley.yaml:1:1: port",
    );
  });

  test("all mistakes are told at once, a line each", () => {
    const env = { PARLEY_PROT: "1", PARLEY_HSOT: "x", PARLEY_PORT: "http" };
    expect(() => load({ file: "hots: x\nport: true", env })).toThrow(
      [
        "parley.yaml:1:1: unknown setting `hots`; did you mean `host`?",
        "unknown environment variable PARLEY_PROT; did you mean `PARLEY_PORT`?",
        "unknown environment variable PARLEY_HSOT; did you mean `PARLEY_HOST`?",
        "PARLEY_PORT should be a whole number from 0 to 65535, not `http`",
        "parley.yaml:2:1: port should be a whole number from 0 to 65535, not `true`",
      ].join("\n"),
    );
  });

  test("a config file that cannot be read is a mistake", () => {
    expect(() => load({ flags: { config: "none.yaml" }, readFile: failToRead })).toThrow(
      "config file none.yaml: there is no such file or folder",
    );
  });
});

describe("addresses in settings", () => {
  test.each([
    ["https://chat.example/", "https://chat.example"],
    ["HTTPS://Chat.Example:443/agents//", "https://chat.example/agents"],
    ["http://[::1]:80", "http://[::1]"],
  ])("%s becomes %s", (given, expected) => {
    expect(load({ flags: { publicUrl: given, cdnUrl: given } })).toMatchObject({
      publicUrl: expected,
      cdnUrl: expected,
    });
  });

  test.each([
    "chat.example",
    "ftp://chat.example",
    "javascript:alert(1)",
    "https://user:secret@chat.example",
    "https://chat.example/?a=1",
    "https://chat.example/?",
    "https://chat.example/#top",
    "https://",
  ])("%s is refused", (given) => {
    expect(() => load({ flags: { publicUrl: given } })).toThrow("--public-url should");
  });

  test.each([
    ["10.0.0.0/8,192.168.1.5", ["10.0.0.0/8", "192.168.1.5/32"]],
    ["fd00::/8, ::1", ["fd00::/8", "::1/128"]],
  ])("networks %s", (given, expected) => {
    expect(load({ flags: { trustProxy: given } }).trustProxy).toEqual(expected);
  });

  test.each(["10.0.0.0/33", "10.1", "proxy.example", "0x7f000001", "10.0.0.0-10.0.0.9"])(
    "network %s is refused",
    (given) => {
      expect(() => load({ flags: { trustProxy: given } })).toThrow(
        "--trust-proxy should be addresses or networks",
      );
    },
  );

  test.each(["http://a.example", "a.example:80", "a b", "a/b"])("host %s is refused", (given) => {
    expect(() => load({ flags: { host: given } })).toThrow("--host should be a host name or an address");
  });
});

describe("what browsers are told", () => {
  test.each([
    [{}, "http://127.0.0.1:8787"],
    [{ host: "::1" }, "http://[::1]:8787"],
    [{ host: "[::1]" }, "http://[::1]:8787"],
    [{ host: "0.0.0.0" }, "http://localhost:8787"],
    [{ host: "::" }, "http://localhost:8787"],
    [{ host: "0.0.0.0", publicUrl: "https://chat.example/" }, "https://chat.example"],
  ])("%j is reached at %s", (flags, publicUrl) => {
    expect(publicAddresses(load({ flags }), 8787)).toEqual({ publicUrl, cdnUrl: `${publicUrl}/cdn` });
  });

  test("the port is the one that was bound", () => {
    expect(publicAddresses(load({ flags: { port: "0" } }), 40_123).publicUrl).toBe("http://127.0.0.1:40123");
  });

  test("assets may come from elsewhere", () => {
    expect(publicAddresses(load({ flags: { cdnUrl: "https://cdn.example/p/" } }), 1).cdnUrl).toBe(
      "https://cdn.example/p",
    );
  });

  test("listening everywhere without a public address is warned of", () => {
    expect(configWarnings(load({ flags: { host: "0.0.0.0" } }))).toHaveLength(1);
    expect(configWarnings(load({ flags: { host: "0.0.0.0", publicUrl: "https://chat.example" } }))).toEqual(
      [],
    );
  });

  test("an operator listener that other machines reach is warned of", () => {
    expect(configWarnings(load({ flags: { operatorHost: "10.0.0.5" } })).join()).toContain(
      "--operator-host 10.0.0.5",
    );
    expect(configWarnings(load({ flags: { operatorHost: "::1" } }))).toEqual([]);
  });
});
