import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { decidingPattern, matrixOf } from "../../../../src/console/profile/matrix.ts";
import { compileCapabilityProfile } from "../../../../src/governance/profile/capability-profile.ts";

const INTENTS = ["orders.status", "orders.cancel", "legal.advice", "help", "jobs.openings"];

describe("the matrix of a capability profile", () => {
  const matrix = matrixOf(INTENTS, {
    allow: ["orders.*", "help"],
    deny: ["orders.cancel", "legal.*", "gone.*"],
  });
  const rows = matrix.groups.flatMap(({ intents }) => intents);

  test("puts intents below the pattern of their prefix", () => {
    expect(matrix.groups.map(({ pattern }) => pattern?.name)).toEqual([
      "orders.*",
      "legal.*",
      undefined,
      "jobs.*",
    ]);
    expect(matrix.groups[0]!.intents.map(({ name }) => name)).toEqual(["orders.status", "orders.cancel"]);
  });

  test("says what each intent is, and by which pattern", () => {
    expect(rows.map((row) => [row.name, row.standing, decidingPattern(row)])).toEqual([
      ["orders.status", "allowed", "orders.*"],
      ["orders.cancel", "denied", "orders.cancel"],
      ["legal.advice", "denied", "legal.*"],
      ["help", "allowed", "help"],
      ["jobs.openings", "unlisted", undefined],
    ]);
    expect(matrix).toMatchObject({ answered: 2, total: 5, hasAllowList: true });
  });

  test("shows entries that name nothing of the bot", () => {
    expect(matrix.others.map(({ name }) => name)).toEqual(["gone.*"]);
  });

  test("without an allow list everything that is not denied is answered", () => {
    expect(matrixOf(INTENTS, { deny: ["*"] })).toMatchObject({ answered: 0, hasAllowList: false });
    expect(matrixOf(INTENTS)).toMatchObject({ answered: 5, others: [] });
    expect(matrixOf(INTENTS, { allow: [] })).toMatchObject({ answered: 0 });
  });

  test("says of any profile what decides messages", () => {
    const pattern = fc.constantFrom("*", "orders.*", "orders.cancel", "orders", "legal.*", "help", "legal");
    const lists = fc.record({ allow: fc.array(pattern), deny: fc.array(pattern) }, { requiredKeys: [] });
    fc.assert(
      fc.property(lists, (profile) => {
        const compiled = compileCapabilityProfile(profile);
        for (const { name, standing } of matrixOf(INTENTS, profile).groups.flatMap(({ intents }) => intents))
          expect(standing).toBe(compiled.standingOf(name));
      }),
    );
  });
});
