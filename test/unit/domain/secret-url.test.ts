import { describe, expect, test } from "bun:test";

import { SecretUrl } from "../../../src/domain/secret-url.ts";

describe("an address with a password", () => {
  const url = new SecretUrl("rediss://parley:s3cret@buckets.example:6380/2");

  test.each([
    ["as text", String],
    ["in JSON", (value: unknown) => JSON.stringify({ value })],
    ["printed", (value: unknown) => Bun.inspect({ value }, { depth: 9 })],
    ["spread", (value: unknown) => JSON.stringify({ ...(value as object) })],
  ])("%s shows neither user nor password", (_, show) => {
    expect(show(url)).toContain("rediss://***@buckets.example:6380/2");
    expect(show(url)).not.toMatch(/s3cret|parley/);
  });

  test("is told whole to who asks", () => {
    expect(url.reveal()).toBe("rediss://parley:s3cret@buckets.example:6380/2");
    expect(url.hasPassword).toBe(true);
  });

  test.each(["redis://:a@b@host:1", "redis://a:b%2F@host:1", "redis://:@x@host:1"])(
    "of %s nothing before the host is shown",
    (text) => expect(new SecretUrl(text).shown).toBe("redis://***@host:1"),
  );

  test("without one is shown as it is", () => {
    const plain = new SecretUrl("redis://host:6379");
    expect([plain.shown, plain.hasPassword]).toEqual(["redis://host:6379", false]);
  });
});
