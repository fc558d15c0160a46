import { describe, expect, test } from "bun:test";

import { type ConfigSources, ConfigError, loadConfig } from "../../../src/config/config.ts";

function load(sources: Partial<ConfigSources>) {
  return loadConfig({ flags: {}, env: {}, readFile: () => "", ...sources });
}

function faultOf(sources: Partial<ConfigSources>): string {
  try {
    load(sources);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("it was taken");
}

describe("the address of the server of buckets", () => {
  test.each([
    ["redis://buckets.example", "redis://buckets.example"],
    ["redis://10.0.0.5:6379/3", "redis://10.0.0.5:6379/3"],
    ["rediss://[fd00::5]:6380", "rediss://[fd00::5]:6380"],
    ["rediss://:p%40ss@host:1/", "rediss://***@host:1/"],
  ])("%s is taken", (text, shown) => {
    expect(load({ env: { PARLEY_BUCKETS: text } }).buckets?.shown).toBe(shown);
  });

  test.each([
    ["http://host", "should be an address as redis://host:6379"],
    ["host:6379", "should be an address as redis://host:6379"],
    ["redis://", "should be an address as redis://host:6379"],
    ["redis://:s3cr/et@host:1", "should be an address as redis://host:6379"],
    ["redis://:s3cr#et@host:1", "should be an address as redis://host:6379"],
    ["redis://u:1/s3cret@host:1", "nothing behind its port but the number of a database"],
    ["redis://:s3cret@host/first", "nothing behind its port but the number of a database"],
    ["redis://:s3cret@host?db=1", "nothing behind its port but the number of a database"],
    ["redis://s3cret@host", "should not name a user without a password"],
    ["redis://:s3cret%@host", "should write a % of its password as %25"],
  ])("%s is refused by variable, file and flag, and never repeated", (text, message) => {
    for (const sources of [
      { env: { PARLEY_BUCKETS: text } },
      { flags: { buckets: text } },
      { flags: { config: "parley.yaml" }, readFile: () => `buckets: ${JSON.stringify(text)}` },
    ]) {
      const fault = faultOf(sources);
      expect(fault).toContain(message);
      expect(fault).not.toMatch(/s3cr/);
    }
  });

  test("with a password is refused on the command line, which names the variable, and taken elsewhere", () => {
    const url = "redis://parley:s3cret@host:6379";
    const fault = faultOf({ flags: { buckets: url } });
    expect(fault).toMatch(/^--buckets holds a password.* PARLEY_BUCKETS/);
    expect(fault).not.toContain("s3cret");
    expect(load({ env: { PARLEY_BUCKETS: url } }).buckets?.reveal()).toBe(url);
    const file = { flags: { config: "parley.yaml" }, readFile: () => `buckets: ${url}` };
    expect(load(file).buckets?.reveal()).toBe(url);
  });
});

test("no setting with a password is written into JSON", () => {
  const config = load({ env: { PARLEY_BUCKETS: "redis://parley:s3cret@host:6379" } });
  expect(JSON.stringify(config)).toContain('"redis://***@host:6379"');
  expect(JSON.stringify(config)).not.toContain("s3cret");
});
