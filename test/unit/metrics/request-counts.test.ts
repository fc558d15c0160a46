import { expect, test } from "bun:test";

import { Registry } from "prom-client";

import { RequestCounts } from "../../../src/metrics/request-counts.ts";

const BOUNDS = [0.0005, 0.001, 1, 10];

test("requests are exposed by route and status, their times by route", async () => {
  const registry = new Registry();
  const counts = new RequestCounts([registry], BOUNDS);
  counts.count("/chat", 200, 0.0007);
  counts.count("/chat", 429, 0.25);
  const lines = (await registry.metrics()).split("\n");
  expect(lines).toContain('parley_http_requests_total{route="/chat",status="200"} 1');
  expect(lines).toContain('parley_http_requests_total{route="/chat",status="429"} 1');
  expect(lines).toContain('parley_http_request_seconds_bucket{le="0.001",route="/chat"} 1');
  expect(lines).toContain('parley_http_request_seconds_bucket{le="+Inf",route="/chat"} 2');
  expect(lines).toContain('parley_http_request_seconds_count{route="/chat"} 2');
});

test("quantiles lie within the bound that holds them, in proportion", async () => {
  const counts = new RequestCounts([new Registry()], BOUNDS);
  for (const seconds of [0.0005, 0.0007, 0.0008, 0.25]) counts.count("/chat", 200, seconds);
  counts.count("/healthz", 200, 9);
  const [quarter, half, most] = (await counts.quantiles("/chat", [0.25, 0.5, 0.99]))!;
  expect(quarter).toBeCloseTo(0.0005, 9);
  expect(half).toBeCloseTo(0.00075, 9);
  expect(most).toBeCloseTo(0.001 + 0.999 * 0.96, 9);
});

test("what is above the last bound counts as that", async () => {
  const counts = new RequestCounts([new Registry()], BOUNDS);
  counts.count("/chat", 200, 60);
  expect(await counts.quantiles("/chat", [0.5])).toEqual([10]);
});

test("a route without a request has no quantiles", async () => {
  const counts = new RequestCounts([new Registry()], BOUNDS);
  counts.count("/healthz", 200, 0.1);
  expect(await counts.quantiles("/chat", [0.5])).toBeUndefined();
});
