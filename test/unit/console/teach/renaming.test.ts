import { describe, expect, test } from "bun:test";

import { parse } from "yaml";

import { keptStanding, renamingOf } from "../../../../src/console/teach/renaming.ts";

const bot = (profile: object) =>
  JSON.stringify({ capabilityProfile: profile, intents: [{ name: "medical.dosage" }, { name: "hours" }] });

const OPEN = {};
const BY_NAME = { deny: ["medical.dosage"] };
const BY_PATTERN = { deny: ["medical.*"] };
const ALLOWED = { allow: ["medical.*"] };
const UNLISTED = { allow: ["help.*"] };

/** What renaming `medical.dosage` changes for visitors, and what keeps it as it was. */
function changeOf(profile: object, to: string) {
  const renaming = renamingOf(bot(profile), "medical.dosage", to)!;
  const kept = keptStanding(renaming);
  const { was, becomes } = renaming;
  return [
    `${was.standing} ${was.by ?? ""}`.trim(),
    `${becomes.standing} ${becomes.by ?? ""}`.trim(),
    kept && parse(kept).capabilityProfile,
  ];
}

describe("what renaming an intent changes for visitors", () => {
  test.each([
    ["a denial by name follows", BY_NAME, "dosage", ["denied medical.dosage", "denied dosage", undefined]],
    [
      "a denial by pattern holds below it",
      BY_PATTERN,
      "medical.doses",
      ["denied medical.*", "denied medical.*", undefined],
    ],
    ["nothing is denied", OPEN, "dosage", ["allowed", "allowed", undefined]],
    [
      "a denial by pattern would be lifted",
      BY_PATTERN,
      "dosage",
      ["denied medical.*", "allowed", { deny: ["medical.*", "dosage"] }],
    ],
    [
      "a denial would be lifted, and no list would name it",
      { ...BY_PATTERN, ...UNLISTED },
      "dosage",
      ["denied medical.*", "unlisted", { deny: ["medical.*", "dosage"], allow: ["help.*"] }],
    ],
    [
      "what no list names would be allowed",
      UNLISTED,
      "help.dosage",
      ["unlisted", "allowed help.*", { allow: ["help.*"], deny: ["help.dosage"] }],
    ],
    [
      "what is allowed by pattern would not be named",
      ALLOWED,
      "dosage",
      ["allowed medical.*", "unlisted", { allow: ["medical.*", "dosage"] }],
    ],
    ["it would be denied", { deny: ["help.*"] }, "help.dosage", ["allowed", "denied help.*", undefined]],
  ])("%s", (_, profile, to, expected) => {
    expect(changeOf(profile, to)).toEqual(expected as ReturnType<typeof changeOf>);
  });

  test("where another intent has the old name, its denial stays there, and would be lifted here", () => {
    const text = bot(BY_NAME).replace('"hours"', '"medical.dosage"');
    const renaming = renamingOf(text, "medical.dosage", "dosage")!;
    expect([renaming.was.standing, renaming.becomes.standing]).toEqual(["denied", "allowed"]);
  });
});
