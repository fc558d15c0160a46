import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "yaml";

import { createProgram } from "../../../src/cli/program.ts";
import { SETTING_NAMES, variableOf } from "../../../src/config/settings.ts";
import { recordingTerminal } from "../../support/cli.ts";
import { ROOT } from "../../support/docs.ts";

const LINES = readFileSync(join(ROOT, "docs/container/Dockerfile"), "utf8")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/** What stands behind an instruction, for each time that it is given. */
const given = (instruction: string) =>
  LINES.filter((line) => line.startsWith(`${instruction} `)).map((line) =>
    line.slice(instruction.length + 1),
  );

/** The command of an instruction in its exec form: without a shell there is no other. */
const commandOf = (text = "") => JSON.parse(text.slice(text.indexOf("["))) as string[];

describe("the container recipe", () => {
  test("sets variables that Parley knows", () => {
    const names = given("ENV").map((line) => line.split("=", 1)[0]!);
    expect(names.length).toBeGreaterThan(1);
    expect(names.filter((name) => !SETTING_NAMES.map(variableOf).includes(name))).toEqual([]);
  });

  test("runs commands and flags that Parley knows", () => {
    const { commands } = createProgram(recordingTerminal().terminal);
    const [program] = commandOf(given("ENTRYPOINT")[0]);
    const [healthProgram, ...health] = commandOf(given("HEALTHCHECK")[0]);
    expect(healthProgram).toBe(program);
    for (const [name, ...flags] of [commandOf(given("CMD")[0]), health]) {
      const command = commands.find((known) => known.name() === name);
      expect(command?.options.map(({ long }) => long)).toEqual(expect.arrayContaining(flags));
    }
  });

  test("keeps the data on the volume, and runs as no root", () => {
    const data = given("ENV")
      .find((line) => line.startsWith("PARLEY_DATA="))
      ?.slice("PARLEY_DATA=".length);
    expect(data).toStartWith(`${given("VOLUME")[0]}/`);
    expect(given("FROM")[0]).toEndWith(":nonroot");
    expect(given("USER")).toEqual([]);
  });

  test("copies the executable to where it is run", () => {
    expect(given("COPY")[0]).toEndWith(` ${commandOf(given("ENTRYPOINT")[0])[0]}`);
  });
});

describe("the compose file", () => {
  const compose = parse(readFileSync(join(ROOT, "docs/container/compose.yaml"), "utf8")) as {
    services: Record<string, { environment?: Record<string, string>; command?: string[]; ports?: string[] }>;
  };

  test("sets variables that Parley knows, and passwords nowhere but in variables", () => {
    const { environment = {}, command = [] } = compose.services["parley"]!;
    const names = Object.keys(environment);
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((name) => !SETTING_NAMES.map(variableOf).includes(name))).toEqual([]);
    expect(command).toEqual([]);
  });

  test("publishes the proxy alone", () => {
    const published = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).toEqual(["caddy"]);
  });
});
