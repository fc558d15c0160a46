import { describe, expect, test } from "bun:test";

import { loadConfig } from "../../../src/config/config.ts";

function modelsOf(file: string) {
  return loadConfig({ flags: { config: "parley.yaml" }, env: {}, readFile: () => file }).models;
}

function messageOf(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    return (error as Error).message.split("\n");
  }
  return [];
}

describe("the models section", () => {
  test("names servers in order", () => {
    const models = modelsOf(`
port: 80
models:
  local: {baseUrl: "http://127.0.0.1:11434/v1/", model: qwen, timeoutMs: 5000}
  cloud:
    baseUrl: https://api.example/v1
    model: large
    apiKeyEnv: CLOUD_KEY
`);
    expect(Object.entries(models)).toEqual([
      ["local", { baseUrl: "http://127.0.0.1:11434/v1", model: "qwen", timeoutMs: 5000 }],
      ["cloud", { baseUrl: "https://api.example/v1", model: "large", apiKeyEnv: "CLOUD_KEY" }],
    ]);
  });

  test("may come as JSON from the environment", () => {
    const env = { PARLEY_MODELS: '{"local":{"baseUrl":"http://x/v1","model":"m"}}' };
    const { models } = loadConfig({ flags: {}, env, readFile: () => "" });
    expect(models).toEqual({ local: { baseUrl: "http://x/v1", model: "m" } });
  });

  test.each([
    ["models: 5", "should name model servers"],
    ["models: {local: 5}", "needs `baseUrl` and `model` under `local`"],
    ["models: {local: {model: m}}", "`local.baseUrl`"],
    ["models: {local: {baseUrl: ftp://x, model: m}}", "it should be an http or https address"],
    [
      "models: {local: {baseUrl: http://x, model: m, modle: n}}",
      "has no field `local.modle`; did you mean `model`?",
    ],
    ["models: {Local AI: {}}", "short lower-case names"],
    ["models: {local: {baseUrl: http://x, model: m, timeoutMs: 1}}", "`local.timeoutMs`"],
    ["models: {local: {baseUrl: http://x, model: m, apiKeyEnv: sk-123}}", "`local.apiKeyEnv`"],
    ["models: {local: {baseUrl: http://x, model: m, apiKeyEnv: PARLEY_KEY}}", "PARLEY_"],
  ])("%p is refused with its place", (file, message) => {
    expect(() => modelsOf(file)).toThrow("parley.yaml:1:1: models ");
    expect(() => modelsOf(file)).toThrow(message);
  });

  test("all mistakes of all servers are told at once", () => {
    const file =
      "models: {one: {model: m}, two: {baseUrl: http://x, model: m, modle: n, timeoutMs: 1}, Three: {}}";
    expect(messageOf(() => modelsOf(file))).toEqual([
      "parley.yaml:1:1: models needs `one.baseUrl`: address up to and with `/v1`",
      "parley.yaml:1:1: models has no field `two.modle`; did you mean `model`?",
      "parley.yaml:1:1: models needs another `two.timeoutMs`: milliseconds that one call may take",
      "parley.yaml:1:1: models should have short lower-case names, unlike `Three`",
    ]);
  });

  test("says where a key belongs, and does not repeat it", () => {
    const file = "models: {local: {baseUrl: http://x, model: m, apiKey: sk-secret}}";
    expect(() => modelsOf(file)).toThrow("apiKeyEnv");
    expect(() => modelsOf(file)).not.toThrow("sk-secret");
  });
});
