import { describe, expect, test } from "bun:test";

import fc from "fast-check";

import {
  conditionsAsText,
  conditionsFrom,
  jsonFieldsAsText,
  jsonFieldsFrom,
  KINDS,
  METHODS,
  MAX_SLOTS,
  newSlot,
  slotNameFault,
} from "../../../../src/console/pages/bots/settings.ts";
import {
  ACTION_METHODS,
  MAX_SLOTS as MAX_SLOTS_OF_DOMAIN,
  SLOT_NAME_PATTERN,
  SLOT_TYPES,
} from "../../../../src/domain/action.ts";

describe("conditions of an answer as a form has them", () => {
  test.each([
    ["status = 404", { status: 404 }],
    ["status = 404, 410", { status: [404, 410] }],
    ["body.state = shipped", { "body.state": "shipped" }],
    ["body.isOpen=true\n\nbody.note = null", { "body.isOpen": true, "body.note": null }],
    ['body.code = "404", "a, b"', { "body.code": ["404", "a, b"] }],
    ["body.code = 007", { "body.code": "007" }],
    ["body.sum = a = b", { "body.sum": "a = b" }],
    ["", undefined],
  ])("%j", (typed, value) => expect(conditionsFrom(typed)).toEqual({ value }));

  test.each(["status", "status =", "status = 404,", "state = shipped", "= 3", 'body.a = "b', "body.a = , b"])(
    "says what is wrong with %j",
    (typed) => expect(conditionsFrom(typed)).toHaveProperty("fault"),
  );

  test("one that stands there twice is a fault", () =>
    expect(conditionsFrom("status = 1\nstatus = 2")).toEqual({ fault: "status is listed twice." }));

  test("what is shown reads as it was, whatever the texts are", () => {
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom("404", "true", "null", "a, b", '"', " ", "", "1e5", "007", "-0"),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    );
    const when = fc.record({
      status: value,
      "body.a": fc.array(value, { minLength: 2, maxLength: 4 }),
      "body.b.c": value,
    });
    fc.assert(
      fc.property(when, (conditions) => {
        expect(conditionsFrom(conditionsAsText(conditions))).toEqual({ value: conditions });
      }),
    );
  });
});

test("a body is a JSON object", () => {
  const body = { email: "{email}", list: [1, { a: null }] };
  expect(jsonFieldsFrom(jsonFieldsAsText(body))).toEqual({ value: body });
  expect(jsonFieldsFrom(" ")).toEqual({ value: undefined });
  for (const typed of ["[]", "3", "{", '{"a": }']) expect(jsonFieldsFrom(typed)).toHaveProperty("fault");
});

test("the form knows every kind of slot and every method", () => {
  expect(KINDS.map(([kind]) => kind)).toEqual([...SLOT_TYPES]);
  expect(MAX_SLOTS).toBe(MAX_SLOTS_OF_DOMAIN);
  expect(METHODS.map(([method]) => (method === "" ? "GET" : method))).toEqual([...ACTION_METHODS]);
});

test("a new slot has a name of its own", () => {
  expect(newSlot([]).name).toBe("value1");
  expect(newSlot(["value2", "email"]).name).toBe("value1");
  expect(newSlot(["value1"]).name).toBe("value2");
});

test.each([
  ["order", true],
  ["Order_2", true],
  ["a".repeat(40), true],
  ["a".repeat(41), false],
  ["2nd", false],
  ["order number", false],
  ["", false],
])("%j is a slot's name as in the domain: %p", (name, isOne) => {
  expect(new RegExp(SLOT_NAME_PATTERN).test(name)).toBe(isOne);
  expect(slotNameFault(name, []) === undefined).toBe(isOne);
});

test.each(["body", "status", "botName", "email"])("%j is taken", (name) => {
  expect(slotNameFault(name, ["email"])).toBeString();
});
