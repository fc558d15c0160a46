import { describe, expect, spyOn, test } from "bun:test";

import { Passwords } from "../../../src/access/passwords.ts";
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

test("attempts with unknown names take no more threads than others, the first one's decoy included", async () => {
  const hash = Bun.password.hash.bind(Bun.password);
  const verify = Bun.password.verify.bind(Bun.password);
  const passwords = new Passwords();
  const known = await passwords.hash("correct horse");
  let running = 0;
  let most = 0;
  const counted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    most = Math.max(most, ++running);
    return work().finally(() => running--);
  };
  using spies = new DisposableStack();
  spies.use(spyOn(Bun.password, "hash")).mockImplementation((...given) => counted(() => hash(...given)));
  spies.use(spyOn(Bun.password, "verify")).mockImplementation((...given) => counted(() => verify(...given)));
  const hashes = [known, known, undefined, undefined, undefined];
  const outcomes = await Promise.all(hashes.map((each) => passwords.verify("correct horse", each)));
  expect(outcomes).toEqual([true, true, false, false, false]);
  expect(most).toBe(2);
});

test("a flood of attempts with unknown names is refused as another", async () => {
  const passwords = new Passwords();
  const attempts = Array.from({ length: 50 }, () => passwords.verify("wrong", undefined));
  const outcomes = await Promise.allSettled(attempts);
  expect(outcomes.filter(({ status }) => status === "rejected")).toHaveLength(8);
});
