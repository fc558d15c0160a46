import { describe, expect, test } from "bun:test";

import pino from "pino";

import { type LoggedRequest, requestLog } from "../../../src/log/request-log.ts";

const PLAIN: LoggedRequest = { requestId: "rq_1", method: "GET", route: "/demo/:botId" };

function capture(level: string) {
  const lines: string[] = [];
  return { lines, log: pino({ level }, { write: (line) => void lines.push(line) }) };
}

/** A line without what differs from moment to moment. */
const withoutTime = (line: string) => line.replace(/"time":\d{13},/, '"time":0,');

describe("the line of a request", () => {
  test.each<[string, LoggedRequest, number, number, Record<string, unknown>]>([
    ["of an ordinary one", PLAIN, 200, 0.12, {}],
    ["that names a bot", { ...PLAIN, botId: 'a"b\\\n' }, 200, 0, { botId: 'a"b\\\n' }],
    ["of a refused one", { ...PLAIN, code: "NOT_FOUND" }, 404, 12.5, { code: "NOT_FOUND" }],
    [
      "of a refused one that names a bot",
      { ...PLAIN, botId: "shop", code: "NOT_FOUND" },
      404,
      1e21,
      { botId: "shop", code: "NOT_FOUND" },
    ],
    [
      "with more fields",
      { ...PLAIN, botId: "shop", code: "FORBIDDEN", logFields: { allowedDomains: ["a.test"] } },
      403,
      1,
      { botId: "shop", code: "FORBIDDEN", allowedDomains: ["a.test"] },
    ],
  ])("is the one that pino writes: %s", (_name, request, status, ms, fields) => {
    const [ours, pinos] = [capture("info"), capture("info")];
    requestLog(ours.log)(request, status, ms);
    const { requestId, method, route } = request;
    pinos.log.info({ requestId, method, route, status, ms, ...fields }, "request");
    expect(ours.lines.map(withoutTime)).toEqual(pinos.lines.map(withoutTime));
    expect(ours.lines[0]).toMatch(/"time":\d{13},/);
  });

  test("is an error where the request failed", () => {
    const { lines, log } = capture("error");
    requestLog(log)({ ...PLAIN, code: "INTERNAL_ERROR", logFields: { err: new Error("no disk") } }, 500, 1);
    expect(JSON.parse(lines.join(""))).toMatchObject({
      level: 50,
      code: "INTERNAL_ERROR",
      err: { message: "no disk" },
      msg: "request failed",
    });
  });

  test("is not there where the log takes only what is more important", () => {
    const { lines, log } = capture("warn");
    requestLog(log)(PLAIN, 200, 1);
    expect(lines).toEqual([]);
  });
});
