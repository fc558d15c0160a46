import { describe, expect, test } from "bun:test";
import { join } from "node:path";

import fc from "fast-check";
import { parse } from "yaml";

import { renameIntent } from "../../../../src/console/yaml/rename-intent.ts";
import { BotDocument, INTENT_PATTERN_PATTERN } from "../../../../src/domain/bot.ts";
import { INTENT_NAME_PATTERN } from "../../../../src/domain/ids.ts";

const ACME = await Bun.file(join(import.meta.dir, "../../../../data/acme-support.yaml")).text();

const CLINIC = `# A bot
id: clinic
name: Clinic
allowedDomains: []
capabilityProfile:
  allow:
    - hours # when it is open
    - "medical.dosage"   # only to be on the safe side
    - medical.dosage.child
  deny: [medical.*, medical.dosage]  # doctors do that
intents:
  - name: medical.dosage # first
    label: medical.dosage
    examples:
      - medical.dosage
    next:
      - hours
  - name: hours
    next: [ 'medical.dosage', "How much medical.dosage?" ]   # buttons
defaultIntent: medical.dosage # whatever else
tests:
  - utterance: medical.dosage
    intent: medical.dosage
  - { utterance: how much, intent: medical.dosage, decision: DENY_LIST }
  # a talk
  - dialogue:
      - utterance: hello
      - utterance: how much
        intent: medical.dosage
`;

const rename = (text: string, to: string, from = "medical.dosage") => renameIntent(text, from, to);

describe("renaming an intent", () => {
  test("every reference follows, and every other byte stays", () => {
    const expected = CLINIC.replace('- "medical.dosage"', '- "doses"')
      .replace("medical.*, medical.dosage]", "medical.*, doses]")
      .replace("name: medical.dosage # first", "name: doses # first")
      .replace("[ 'medical.dosage'", "[ doses")
      .replace("defaultIntent: medical.dosage", "defaultIntent: doses")
      .replaceAll("intent: medical.dosage", "intent: doses");
    expect(rename(CLINIC, "doses")).toBe(expected);
  });

  test("and back again, the text says what it said", () => {
    expect(parse(rename(rename(CLINIC, "doses")!, "medical.dosage", "doses")!)).toEqual(parse(CLINIC));
  });

  test("a name that YAML would read as a number or a truth stays a name", () => {
    for (const name of ["2024", "1.5", "true", "null", "1e3"])
      expect(parse(rename(CLINIC, name)!).tests[0].intent).toBe(name);
  });

  test("a list that has the new name already has it once", () => {
    const { allow, deny } = parse(rename(CLINIC, "medical.dosage.child")!).capabilityProfile;
    expect([allow, deny]).toEqual([
      ["hours", "medical.dosage.child"],
      ["medical.*", "medical.dosage.child"],
    ]);
  });

  test("a list keeps the name of a turn that Parley has itself", () => {
    const greeting = CLINIC.replaceAll("medical.dosage", "social.greeting");
    const { allow, deny } = parse(rename(greeting, "hello", "social.greeting")!).capabilityProfile;
    expect(allow).toEqual(["hours", "social.greeting", "social.greeting.child", "hello"]);
    expect(deny).toEqual(["medical.*", "social.greeting", "hello"]);
  });

  test("what names an intent of which there are two is left to the other one", () => {
    const twice = CLINIC.replace("- name: hours", "- name: medical.dosage");
    expect(rename(twice, "doses")).toBe(twice.replace("name: medical.dosage # first", "name: doses # first"));
  });

  test("an alias of the name is written out", () => {
    const text = CLINIC.replace("name: medical.dosage", "name: &dosage medical.dosage").replace(
      "defaultIntent: medical.dosage",
      "defaultIntent: *dosage",
    );
    expect(parse(rename(text, "doses")!)).toEqual(parse(rename(CLINIC, "doses")!));
  });

  test("changes nothing where one reference is written elsewhere, or there is no such intent", () => {
    const aliased = CLINIC.replace("  allow:\n", "  allow: &list\n").replace(/deny: \[.*\]/, "deny: *list");
    expect(rename(aliased, "doses")).toBeUndefined();
    expect(rename(CLINIC, "doses", "nowhere")).toBeUndefined();
    expect(rename("a: [", "doses")).toBeUndefined();
  });

  test("in a real bot, only lines that hold the old name change, whichever it is", () => {
    const names = parse(ACME).intents.map(({ name }: { name: string }) => name) as string[];
    fc.assert(
      fc.property(fc.constantFrom(...names), (name) => {
        const [before, after] = [ACME.split("\n"), rename(ACME, "renamed.to_this", name)!.split("\n")];
        expect(after).toHaveLength(before.length);
        for (const [at, line] of before.entries())
          if (after[at] !== line)
            expect([line, after[at]!.replace("renamed.to_this", name)]).toEqual([line, line]);
        expect(after.join("\n")).toContain("name: renamed.to_this");
      }),
      { numRuns: 30 },
    );
  });

  test("the bot file names intents nowhere else", () => {
    expect(placesOf(BotDocument).toSorted()).toEqual([
      "capabilityProfile.allow.*",
      "capabilityProfile.deny.*",
      "defaultIntent",
      "intents.*.name",
      "tests.*.dialogue.*.intent",
      "tests.*.intent",
    ]);
  });
});

/** Where a schema has the name of an intent, or a pattern of names. */
function placesOf(schema: object, path: readonly string[] = []): string[] {
  const {
    pattern,
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    pattern?: string;
    properties?: Record<string, object>;
    items?: object;
    anyOf?: object[];
  };
  if (pattern === INTENT_NAME_PATTERN || pattern === INTENT_PATTERN_PATTERN) return [path.join(".")];
  return [
    ...Object.entries(properties).flatMap(([name, field]) => placesOf(field, [...path, name])),
    ...(items ? placesOf(items, [...path, "*"]) : []),
    ...anyOf.flatMap((each) => placesOf(each, path)),
  ];
}
