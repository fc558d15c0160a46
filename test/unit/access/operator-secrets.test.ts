import { describe, expect, test } from "bun:test";

import {
  isOperatorKey,
  isOperatorSecret,
  newOperatorKey,
  newOperatorSecret,
  parseEmbedToken,
} from "../../../src/access/secrets.ts";
import { secureRandomBytes } from "../../../src/domain/ids.ts";

describe("an operator key", () => {
  test("has its format, and is no embed token", () => {
    const key = newOperatorKey(secureRandomBytes);
    expect(key).toMatch(/^parley_op_[0-9A-Za-z]{36}$/);
    expect(isOperatorKey(key)).toBe(true);
    expect(parseEmbedToken(key)).toBeUndefined();
  });

  test("is found mistyped without a look at the database", () => {
    const key = newOperatorKey(secureRandomBytes);
    const other = key.at(-1) === "a" ? "b" : "a";
    for (const text of [
      key.slice(0, -1) + other,
      `${key}a`,
      key.slice(0, -1),
      key.replace("_op_", "_et_"),
      ` ${key}`,
    ]) {
      expect(isOperatorKey(text)).toBe(false);
    }
  });
});

test("a secret has 256 random bits", () => {
  const secrets = new Set(Array.from({ length: 100 }, () => newOperatorSecret(secureRandomBytes)));
  expect(secrets.size).toBe(100);
  for (const secret of secrets) expect(isOperatorSecret(secret)).toBe(true);
});
