import { describe, expect, test } from "bun:test";

import { assertSameOrigin } from "../../../../src/http/api/mount.ts";

const isTaken = (host: string, origin: string, operatorUrl?: string) => {
  const request = new Request("http://localhost/", { headers: { Host: host, Origin: origin } });
  try {
    assertSameOrigin(request, operatorUrl);
    return true;
  } catch {
    return false;
  }
};

describe("of a browser that sends no Sec-Fetch-Site, only the console's own page is taken: scheme, host and port", () => {
  test.each([
    ["10.0.0.5:8788", "http://10.0.0.5:8788", undefined, true],
    ["10.0.0.5", "http://10.0.0.5", undefined, true],
    ["10.0.0.5:8788", "https://10.0.0.5:8788", undefined, false],
    ["10.0.0.5:8788", "http://10.0.0.5:3000", undefined, false],
    ["10.0.0.5:8788", "http://10.0.0.5", undefined, false],
    ["10.0.0.5", "https://10.0.0.5", undefined, false],
    ["ops.example", "https://ops.example", "https://ops.example", true],
    ["127.0.0.1:8788", "https://ops.example", "https://ops.example", true],
    ["ops.example", "http://ops.example", "https://ops.example", false],
    ["ops.example", "https://ops.example:8443", "https://ops.example", false],
    ["ops.example:8788", "http://ops.example:8788", "https://ops.example", true],
    ["ops.example:8788", "https://ops.example:8788", "https://ops.example", false],
    ["ops.example:8788", "http://ops.example:8788", "http://ops.example:8788", true],
    ["ops.example:8788", "null", "http://ops.example:8788", false],
  ])("asked as %s from %s, with operatorUrl %s: %p", (host, origin, operatorUrl, isOwn) => {
    expect(isTaken(host, origin, operatorUrl)).toBe(isOwn);
  });
});
