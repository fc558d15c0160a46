import { expect, test } from "bun:test";

import { SETTING_NAMES, type SettingName, flagOf, variableOf } from "../../../src/config/settings.ts";
import { BotDocument, BotIntent } from "../../../src/domain/bot.ts";
import { TEXT_KEYS } from "../../../src/domain/texts.ts";
import { STATUS_OF } from "../../../src/http/errors.ts";
import { createMetrics } from "../../../src/metrics.ts";
import panelStrings from "../../../src/widget/strings/en.ts";
import peopleStrings from "../../../src/widget/strings/people/en.ts";
import { pageOf } from "../../support/docs.ts";

const rowsOf = (path: string) =>
  pageOf(path)
    .split("\n")
    .filter((line) => line.startsWith("|"));

/** Names that no row of a page's tables has between backticks, first in them. */
function missingIn(path: string, names: readonly string[]): string[] {
  const rows = rowsOf(path);
  return names.filter((name) => !rows.some((row) => new RegExp(`\`${name}\\b`).test(row)));
}

test("every setting has a row, and the page says how its other names are made", () => {
  expect(missingIn("docs/operating/settings.md", SETTING_NAMES.map(flagOf))).toEqual([]);
  const name: SettingName = "backupEvery";
  for (const spelt of [flagOf(name), variableOf(name), name])
    expect(pageOf("docs/operating/settings.md")).toContain(`\`${spelt}\``);
});

test("every field of a bot file is described", () => {
  const fields = [...Object.keys(BotDocument.properties), ...Object.keys(BotIntent.properties)];
  expect(missingIn("docs/bot-files.md", fields)).toEqual([]);
});

test("every text that a bot says by itself is described", () => {
  const keys = TEXT_KEYS.filter((key) => !key.startsWith("social."));
  expect(missingIn("docs/bot-files.md", keys)).toEqual([]);
});

test("every wording of the widget that a page may replace is listed, as it is in English", () => {
  const rows = rowsOf("docs/widget.md").map((row) => row.split("|").map((cell) => cell.trim()));
  const listed = new Map(rows.map(([, key = "", words]) => [key, words]));
  const { poweredBy: _, ...replaced } = { ...panelStrings, ...peopleStrings };
  const wrong = Object.entries(replaced).filter(([key, words]) => listed.get(`\`${key}\``) !== words);
  expect(wrong).toEqual([]);
});

test("every page of the console has a row", () => {
  const titles = [
    "Overview",
    "Conversations",
    "Hand-offs",
    "Deliveries",
    "Tokens",
    "Models",
    "Audit",
    "Health",
  ];
  const rows = rowsOf("docs/operating/console.md");
  expect(titles.filter((title) => !rows.some((row) => row.startsWith(`| ${title} `)))).toEqual([]);
});

test("every error code is described", () => {
  expect(missingIn("docs/api.md", Object.keys(STATUS_OF))).toEqual([]);
});

test("every metric is described", async () => {
  const metrics = createMetrics();
  metrics.showSharedBuckets(true);
  const names = Array.from((await metrics.expose()).matchAll(/^# TYPE (\S+)/gm), ([, name]) => name!);
  expect(names.length).toBeGreaterThan(10);
  expect(missingIn("docs/operating/metrics.md", names)).toEqual([]);
});
