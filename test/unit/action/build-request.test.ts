import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import { buildRequest, isPathAllowed } from "../../../src/action/build-request.ts";
import { actionsOf } from "../../../src/action/compile-action.ts";
import type { ActionSettings, SlotType } from "../../../src/domain/action.ts";
import type { IntentName } from "../../../src/domain/ids.ts";
import { shopBot } from "../../support/bots.ts";

function request(action: Partial<ActionSettings>, values: Record<string, [SlotType, string]>) {
  const settings = { endpoint: "orders", path: "/", answers: [{ say: "." }], failure: ".", ...action };
  const intent = { name: "orders.status" as IntentName, examples: ["x"], action: settings };
  const compiled = actionsOf(shopBot({ intents: [intent] })).byIntent.get(intent.name)!;
  const given = Object.entries(values).map(([name, [type, value]]) => [name, { type, value }] as const);
  return buildRequest(compiled, Object.fromEntries(given));
}

describe("a request", () => {
  test("has its values encoded, in path and query", () => {
    expect(
      request(
        { path: "/orders/{n}?email={e}&page=1" },
        { n: ["text", "4 8%2"], e: ["email", "a+b&c=d@x.org"] },
      ),
    ).toEqual({ method: "GET", path: "/orders/4%208%252", query: "email=a%2Bb%26c%3Dd%40x.org&page=1" });
  });

  test("leaves out of the query what was not given", () => {
    expect(request({ path: "/find?q={q}&page={page}" }, { q: ["text", "a"] })?.query).toBe("q=a");
  });

  test.each([".", "..", "../admin", "a/b", "a\\b", "%2e%2e/", ""])(
    "is not made with %j in the path",
    (value) => {
      expect(request({ path: "/orders/{n}/items" }, { n: ["text", value] })).toBeUndefined();
    },
  );

  test.each([
    "/orders/..\\..\\admin",
    "/orders/1#/cancel",
    "/orders/.\n.",
    "/orders/.\t./admin",
    "/orders/..%2fadmin",
    "/orders/..%5Cadmin",
    "/orders/a%0Ab",
    "/orders/..;/admin",
    "/orders/1 ",
    "/orders/ä",
    "/orders/%2E%2e/admin",
    "/orders?a=1#b",
  ])("is not made of the path %j, which would be sent or read as another one", (path) => {
    expect(request({ path }, {})).toBeUndefined();
  });

  test("keeps a value that is encoded already from being taken for what it would be", () => {
    expect(request({ path: "/orders/{n}" }, { n: ["text", "%2e%2e"] })?.path).toBe("/orders/%252e%252e");
  });

  test.each([".. ", ". ", "..  ", ".. ;a"])(
    "is not made of %j in the path, of which some servers leave out the blanks",
    (value) => {
      expect(request({ path: "/orders/{n}/items" }, { n: ["text", value] })).toBeUndefined();
    },
  );

  test("sends values of numbers and yes or no as JSON has them, and others as texts", () => {
    const body = { party: "{n}", note: "for {n}", vip: "{v}", at: { day: ["{d}"] }, none: "{x}", fixed: 3 };
    const values = {
      n: ["integer", "4"],
      v: ["yesno", "true"],
      d: ["date", "2027-03-03"],
    } satisfies Record<string, [SlotType, string]>;
    expect(JSON.parse(request({ method: "POST", path: "/b", body }, values)!.body!)).toEqual({
      party: 4,
      note: "for 4",
      vip: true,
      at: { day: ["2027-03-03"] },
      none: null,
      fixed: 3,
    });
  });

  test("holds values that look like parts of it as the texts that they are", () => {
    const value = '","admin":true,"x":"{e}&role=admin#\r\nX-Evil: 1';
    const body = { note: "{n}", of: "for {n}" };
    const made = request(
      { method: "POST", path: "/orders?note={n}&email={e}", body },
      { n: ["text", value], e: ["email", "ann@example.org"] },
    )!;
    expect(JSON.parse(made.body!)).toEqual({ note: value, of: `for ${value}` });
    expect([...new URLSearchParams(made.query)]).toEqual([
      ["note", value],
      ["email", "ann@example.org"],
    ]);
    expect(made.query).toMatch(/^[!-~]+$/);
  });

  test("never leaves the path that it was allowed, whatever the value", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 20 }), (value) => {
        const made = request({ path: "/orders/{n}/items" }, { n: ["text", value.toWellFormed()] });
        if (made === undefined) return true;
        const url = new URL(`https://orders.internal${made.path}`);
        return url.host === "orders.internal" && isPathAllowed(url.pathname, ["/orders/*/items"]);
      }),
    );
  });
});

describe("an allowed path", () => {
  test.each([
    ["/orders/1", ["/orders/*"], true],
    ["/orders/1/cancel", ["/orders/*"], false],
    ["/orders/", ["/orders/*"], false],
    ["/orders/1/cancel", ["/x", "/orders/*/cancel"], true],
    ["/Orders/1", ["/orders/*"], false],
  ])("%s of %j: %p", (path, allowed, expected) => {
    expect(isPathAllowed(path, allowed)).toBe(expected);
  });
});
