import { afterAll, beforeAll, describe, expect, test } from "bun:test";

import { loadConfig } from "../../src/config/config.ts";
import {
  SETTINGS,
  SETTING_NAMES,
  type Setting,
  type SettingName,
  variableOf,
} from "../../src/config/settings.ts";
import { shopBot } from "../support/bots.ts";
import { runInTerminal } from "../support/cli.ts";
import { eventually } from "../support/eventually.ts";
import { type TestOperator, signIn } from "../support/operators.ts";
import { type TestParley, startParley } from "../support/parley.ts";

const CANARY = "c4nary";

/** Each setting that may hold a secret, with one. Nothing answers there. */
const WITH_SECRET: Partial<Record<SettingName, string>> = {
  store: `postgres://parley:${CANARY}@127.0.0.1:1/parley`,
  buckets: `redis://:${CANARY}@127.0.0.1:1`,
  smtp: `smtp://parley:${CANARY}@127.0.0.1:1`,
  webhooks: JSON.stringify({
    crm: { url: `http://127.0.0.1:1/${CANARY}?key=${CANARY}`, secretEnv: "HOOK_SECRET" },
    broken: { url: `http://127.0.0.1:1/${CANARY}/broken`, secretEnv: "BROKEN_SECRET" },
  }),
};
/** What names a secret that stands in the environment. */
const BESIDE = {
  PARLEY_MODELS: JSON.stringify({
    local: { baseUrl: "http://127.0.0.1:1/v1", model: "m", apiKeyEnv: "MODEL_KEY", timeoutMs: 100 },
  }),
  PARLEY_MAIL_FROM: "parley@acme.example",
};
const ENVIRONMENT = {
  HOOK_SECRET: `whsec_${Buffer.from(`${CANARY} and more: 32 bytes of it`).toString("base64")}`,
  BROKEN_SECRET: `whsec_${CANARY}`,
  MODEL_KEY: `sk-${CANARY}`,
};

const marked = SETTING_NAMES.filter((name) => (SETTINGS[name] as Setting<unknown>).holdsSecret);
const envOf = (names: readonly SettingName[]) =>
  Object.fromEntries(names.map((name) => [variableOf(name), WITH_SECRET[name]!]));

test("each setting that is marked as one that may hold a secret is among those tried here", () => {
  expect(marked.toSorted()).toEqual((Object.keys(WITH_SECRET) as SettingName[]).toSorted());
});

describe.each(marked)("the secret of %s", (name) => {
  test("is known to be one, and shown neither as JSON nor printed", () => {
    const config = loadConfig({ flags: {}, env: envOf([name]), readFile: () => "" });
    const setting: Setting<unknown> = SETTINGS[name];
    expect(setting.holdsSecret!(config[name])).toBe(true);
    for (const shown of [JSON.stringify(config), Bun.inspect(config, { depth: 9 })]) {
      expect(shown).not.toContain(CANARY);
    }
  });

  test("is in no message about a value that is wrong", () => {
    const load = () =>
      loadConfig({ flags: {}, env: { [variableOf(name)]: `x${WITH_SECRET[name]}` }, readFile: () => "" });
    expect(load).toThrow(variableOf(name));
    expect(load).not.toThrow(CANARY);
  });

  test("is in no unit of systemd, nor in what `service` says of it", async () => {
    const env = { ...envOf([name]), ...ENVIRONMENT };
    const { exitCode, stdout, stderr } = await runInTerminal(["service"], { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).toContain(variableOf(name));
    expect(stdout + stderr).not.toContain(CANARY);
  });
});

describe("a server whose settings hold secrets", () => {
  let parley: TestParley;
  let viewer: TestOperator;
  const lines: string[] = [];
  // The store is the one under test.
  const env = { ...envOf(marked.filter((name) => name !== "store")), ...BESIDE };
  beforeAll(async () => {
    parley = await startParley({
      bots: [shopBot({ id: "shop", handoff: { webhook: "crm", email: "team@acme.example" } })],
      env,
      parts: { env: ENVIRONMENT },
      onLog: (line) => lines.push(JSON.stringify(line)),
    });
    viewer = await signIn(parley, "viewer", "viewer");
    const asked = await fetch(`${parley.url}/handoff`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${parley.token}` },
      body: JSON.stringify({ botId: "shop", message: "call me" }),
    });
    expect(asked.status).toBe(200);
    await eventually(() => {
      for (const target of ["crm", "team@acme.example"])
        expect(lines.filter((line) => line.includes(`"target":"${target}"`))).not.toBeEmpty();
    });
  });
  afterAll(() => parley[Symbol.asyncDispose]());

  test("logs none of them", () => {
    expect(lines.join("\n")).toContain("crm");
    expect(lines.join("\n")).not.toContain(CANARY);
  });

  test.each([
    "/api/v1/audit",
    "/api/v1/deliveries",
    "/api/v1/health",
    "/api/v1/models",
    "/api/v1/usage",
    "/api/v1/bots/shop",
    "/api/openapi.json",
    "/metrics",
  ])("shows a viewer none of them at %s", async (path) => {
    const response = await fetch(new URL(path, parley.server.localOperatorUrl), {
      headers: viewer.credentials,
    });
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain(CANARY);
  });

  test("stores none of them", async () => {
    for (const table of ["server_starts", "changes", "deliveries"]) {
      const rows = JSON.stringify(await parley.runSql(`SELECT * FROM ${table}`));
      expect(rows).toContain(table === "deliveries" ? "crm" : "127.0.0.1:1/***");
      expect(rows).not.toContain(CANARY);
    }
  });

  test.each(["audit changes", "audit changes --json", "doctor --quick --json", "doctor"])(
    "is looked at without showing them: %s",
    async (command) => {
      const args = command.split(" ");
      const terminal = { env: { ...env, ...parley.env }, now: Date.now() };
      const { stdout, stderr } = await runInTerminal(args, terminal);
      expect(stdout).toContain(args[0] === "doctor" ? "BROKEN_SECRET" : "redis://***@127.0.0.1:1");
      expect(stdout + stderr).not.toContain(CANARY);
    },
  );

  test("shows none of those that an earlier version stored with its starts", async () => {
    const url = `https://hooks.example/T0/${CANARY}`;
    const settings = JSON.stringify({ port: 1, webhooks: { crm: { url, secretEnv: "HOOK_SECRET" } } });
    const fields = [
      { field: "webhooks", after: { crm: { url } } },
      { field: "webhooks.crm.url", before: url, after: `${url}/other` },
      { field: "webhooks", before: `{"crm":{"url":"${url}…`, isCut: true },
      { field: "port", before: 1, after: 2 },
    ];
    await parley.runSql(`UPDATE server_starts SET settings = '${settings}'`);
    await parley.runSql(
      `INSERT INTO changes (at, actor_kind, actor_name, kind, subject, bots, fields)
       VALUES (1, 'user', 'ann', 'server.settings', 'server', '[]', '${JSON.stringify(fields)}')`,
    );
    // The next start compares its settings with the stored ones, and notes what was.
    await parley.store.noteStart({ port: 1 });
    const [noted, stored] = await parley.store.changes.list({ limit: 2 });
    expect(noted!.fields).toEqual([
      {
        field: "webhooks",
        before: {
          crm: { url: expect.stringMatching(/^https:\/\/hooks\.example\/\*{3}/), secretEnv: "HOOK_SECRET" },
        },
      },
    ]);
    expect(stored!.fields).toHaveLength(4);
    expect(stored!.fields[1]!.before).not.toBe(stored!.fields[1]!.after);
    expect(stored!.fields[3]).toEqual({ field: "port", before: 1, after: 2 });
    expect(JSON.stringify([noted, stored])).not.toContain(CANARY);
    expect(await (await viewer.ask("GET", "/audit")).text()).not.toContain(CANARY);
    expect(JSON.stringify(await parley.runSql("SELECT * FROM server_starts"))).not.toContain(CANARY);
  });
});
