import { describe, expect, test } from "bun:test";

import { loadConfig } from "../../../src/config/config.ts";
import { variablesOf } from "../../../src/config/endpoints.ts";

function endpointsOf(fields: string) {
  const file = `endpoints: {orders: {url: "https://orders.internal/api/", bots: [acme], paths: ["/orders/*"], ${fields}}}`;
  return loadConfig({ flags: { config: "parley.yaml" }, env: {}, readFile: () => file }).endpoints;
}

describe("an endpoint of the configuration", () => {
  test("has an address, bots, methods, paths, headers and bounds", () => {
    const endpoints = endpointsOf(
      "methods: [POST], headers: {Authorization: {env: AUTH}, X-Shop: acme}, timeoutMs: 2000, maxConcurrent: 4, allowPrivate: true, secretEnv: SECRET",
    );
    expect(endpoints["orders"]).toMatchObject({ url: "https://orders.internal/api", methods: ["POST"] });
    expect(variablesOf(endpoints)).toEqual(["AUTH", "SECRET"]);
  });

  test.each([
    ["headers: {Authorization: Bearer abc}", "put it into the environment"],
    ["headers: {X-Api-Key: abc}", "put it into the environment"],
    ["headers: {Host: evil.example}", "`orders.headers`"],
    ["headers: {idempotency-key: x}", "`orders.headers`"],
    ['headers: {"X A": x}', "`orders.headers`"],
    ["headers: {X-A: {env: PARLEY_STORE}}", "`orders.headers`"],
    ["methods: [FETCH]", "`orders.methods`"],
    ["timeoutMs: 0", "100 to 30000"],
    ["secret: whsec_x", "name its variable in `secretEnv`"],
    ["allowPrivat: true", "did you mean `allowPrivate`?"],
  ])("%p is refused, with what would be right", (fields, message) => {
    expect(() => endpointsOf(fields)).toThrow(message);
  });

  test("has its secret repeated in no message", () => {
    expect(() => endpointsOf("headers: {Authorization: Bearer abc}")).not.toThrow("abc");
  });
});
