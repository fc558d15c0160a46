import { describe, expect, test } from "bun:test";

import { ConfigError, loadConfig } from "../../../src/config/config.ts";
import { parseStoreAddress } from "../../../src/config/store-address.ts";

const URL_WITH_PASSWORD = "postgres://ann:secret@db.example/parley";
const load = (flags: object, env: Record<string, string> = {}, file = "") =>
  loadConfig({ flags: { ...flags, ...(file !== "" && { config: "c.yaml" }) }, env, readFile: () => file });

function faultsOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the address of a PostgreSQL database", () => {
  test("with a password on the command line is refused, and the variable is named instead", () => {
    const message = faultsOf(() => load({ store: URL_WITH_PASSWORD }));
    expect(message).toContain("--store holds a password");
    expect(message).toContain("PARLEY_STORE");
    expect(message).not.toContain("secret");
    expect(load({ store: "postgres://ann@db.example/parley" }).store?.holdsPassword).toBe(false);
  });

  test.each([
    ["the variable", load({}, { PARLEY_STORE: URL_WITH_PASSWORD })],
    ["the config file", load({}, {}, `store: ${URL_WITH_PASSWORD}\n`)],
  ])("by %s may hold one, which nothing shows", (_, config) => {
    expect(config.store?.reveal().password).toBe("secret");
    const shown = [
      JSON.stringify(config),
      String(config.store?.shown),
      Bun.inspect(config),
      `${config.store?.toString()}`,
    ];
    expect(shown.join("\n")).not.toContain("secret");
    expect(JSON.stringify(config)).toContain("postgres://ann@db.example/parley");
  });

  test.each([
    "mysql://ann:secret@db.example/parley",
    "postgres://ann:secret@db.example",
    "postgres://ann:secret@db.example/parley?sslmode=sometimes",
    "postgres://ann:secret@db.example/parley?user=bob",
    "secret",
  ])("that makes no sense is refused without being repeated: %s", (text) => {
    const message = faultsOf(() => load({}, { PARLEY_STORE: text }));
    expect(message).toContain("PARLEY_STORE should ");
    expect(message).not.toContain("secret");
  });

  test.each([
    "postgres://ann:pa#ss@db.example/parley",
    "postgres://ann:pa/ss@db.example/parley",
    "postgres://ann:pa?ss@db.example/parley",
    "postgres://ann:pa%ss@db.example/parley",
    "postgres://an%n:secret@db.example/parley",
  ])("whose password is not escaped is refused with a word on how to escape it: %s", (text) => {
    const message = faultsOf(() => load({}, { PARLEY_STORE: text }));
    expect(message).toContain("%25");
    expect(message).not.toContain("ss@");
  });

  test("may ask for TLS that is verified, and for no prepared statements", () => {
    const { shown } = parseStoreAddress(
      "postgresql://db/parley?sslmode=verify-full&sslrootcert=/etc/ca.pem&prepare=false",
    );
    expect(shown).toContain("sslmode=verify-full");
  });
});
