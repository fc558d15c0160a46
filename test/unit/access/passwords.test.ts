import { describe, expect, test } from "bun:test";

import { isTooSimple, Passwords } from "../../../src/access/passwords.ts";
import { ServiceError } from "../../../src/domain/errors.ts";

describe("a password", () => {
  const passwords = new Passwords();

  test("is kept as Argon2id with a salt of its own, and known again", async () => {
    const [one, two] = [await passwords.hash("correct horse"), await passwords.hash("correct horse")];
    expect(one).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
    expect(two).not.toBe(one);
    expect(await passwords.verify("correct horse", one)).toBe(true);
    expect(await passwords.verify("correct house", one)).toBe(false);
  });

  test("is the same however its letters are put together", async () => {
    const hash = await passwords.hash("caf\u00e9 au lait");
    expect(await passwords.verify("cafe\u0301 au lait", hash)).toBe(true);
  });

  test("of nobody is never right", async () => {
    expect(await passwords.verify("anything", undefined)).toBe(false);
  });
});

test("a flood of attempts is refused, and those that wait are answered", async () => {
  const passwords = new Passwords();
  const hash = await passwords.hash("correct horse");
  const attempts = Array.from({ length: 50 }, () => passwords.verify("wrong", hash));
  const outcomes = await Promise.allSettled(attempts);
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused).toHaveLength(8);
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(ServiceError);
    expect((reason as ServiceError).errorCode).toBe("OVERLOADED");
  }
  expect(await passwords.verify("correct horse", hash)).toBe(true);
});

test.each([
  ["aaaaaaaaaaaa", true],
  ["AAAAaaaaAAAA", true],
  ["éééééééééééé", true],
  ["123456789012", true],
  ["0987654321098", true],
  ["abcdefghijklm", true],
  ["QwertyUiopAs", true],
  ["wxyzabcdefgh", true],
  ["aaaaaaaaaaab", false],
  ["1234567890abc", false],
  ["correct horse battery", false],
])("%s is too simple: %p", (password, expected) => {
  expect(isTooSimple(password)).toBe(expected);
});
