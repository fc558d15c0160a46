import { expect, test } from "bun:test";

import { Counter, Histogram, Registry } from "prom-client";

import { RequestCounts } from "../../../src/metrics/request-counts.ts";

const BOUNDS = [0.0005, 0.001, 1, 10];
const REQUESTS = [
  ["/chat", 200, 0.0007],
  ["/chat", 200, 0.0005],
  ["/chat", 429, 0.25],
  ["/embed-config", 200, 0],
  ["/demo/:botId", 404, 10.5],
] as const;

/** The text of the same requests, counted by prom-client one by one. */
async function countedByPromClient(): Promise<string> {
  const registers = [new Registry()];
  const total = new Counter({
    name: "parley_http_requests_total",
    help: "Requests answered, by route pattern and status",
    labelNames: ["route", "status"],
    registers,
  });
  const seconds = new Histogram({
    name: "parley_http_request_seconds",
    help: "Time from request to answer",
    labelNames: ["route"],
    buckets: BOUNDS,
    registers,
  });
  for (const [route, status, took] of REQUESTS) {
    total.inc({ route, status: String(status) });
    seconds.observe({ route }, took);
  }
  return registers[0]!.metrics();
}

test("requests are exposed, scrape after scrape, as prom-client would", async () => {
  const registry = new Registry();
  const counts = new RequestCounts([registry], BOUNDS);
  for (const [route, status, took] of REQUESTS) counts.count(route, status, took);
  const expected = await countedByPromClient();
  expect(await registry.metrics()).toBe(expected);
  expect(await registry.metrics()).toBe(expected);
});

test("before the first request, there are no series but their descriptions", async () => {
  const registry = new Registry();
  expect(new RequestCounts([registry], BOUNDS)).toBeDefined();
  const lines = (await registry.metrics()).split("\n").filter((line) => line !== "");
  expect(lines.every((line) => line.startsWith("#"))).toBe(true);
  expect(lines).toHaveLength(4);
});
