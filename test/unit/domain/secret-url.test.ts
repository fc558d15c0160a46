import { describe, expect, test } from "bun:test";

import { hideAddresses, SecretUrl } from "../../../src/domain/secret-url.ts";

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
    expect(url.holdsSecret).toBe(true);
  });

  test.each(["redis://:a@b@host:1", "redis://a:b%2F@host:1", "redis://:@x@host:1"])(
    "of %s nothing before the host is shown",
    (text) => expect(new SecretUrl(text).shown).toBe("redis://***@host:1"),
  );

  test("without one is shown as it is", () => {
    const plain = new SecretUrl("redis://host:6379");
    expect([plain.shown, plain.holdsSecret]).toEqual(["redis://host:6379", false]);
  });
});

describe("an address that is a secret as a whole", () => {
  const hide = (text: string) => new SecretUrl(text, "all but the origin");

  test("shows its origin, and four digits that change with it", () => {
    const [one, other] = [hide("https://hooks.example/T0/s3cret"), hide("https://hooks.example/T0/0ther")];
    expect(one.shown).toMatch(/^https:\/\/hooks\.example\/\*{3}[0-9a-f]{4}$/);
    expect(other.shown).not.toBe(one.shown);
    expect(hide("https://hooks.example/T0/s3cret").shown).toBe(one.shown);
    expect(JSON.stringify({ one }) + Bun.inspect(one)).not.toContain("s3cret");
    expect([one.holdsSecret, one.reveal()]).toEqual([true, "https://hooks.example/T0/s3cret"]);
  });

  test("that is an origin alone is shown, and no secret", () => {
    const plain = hide("https://crm.example/");
    expect([plain.shown, plain.holdsSecret]).toEqual(["https://crm.example/", false]);
  });

  test.each([
    ["a text", "https://hooks.example/s3cret"],
    ["an object", { crm: { url: "https://hooks.example/s3cret", events: ["a"] } }],
    ["a list", ["https://hooks.example/?key=s3cret"]],
    ["JSON that was cut off", '{"crm":{"url":"https://hooks.example/T0/s3cre…'],
    ["JSON in JSON", '"{\\"url\\":\\"https://hooks.example/s3cret\\"}"'],
    ["an address with a name", "https://ann:s3cret@hooks.example/"],
  ])("is masked in what was stored as %s, and what is masked stays so", (_, stored) => {
    const shown = hideAddresses(stored);
    expect(JSON.stringify(shown)).toContain("https://hooks.example/");
    expect(JSON.stringify(shown)).not.toContain("s3cre");
    expect(hideAddresses(shown)).toEqual(shown);
  });
});
