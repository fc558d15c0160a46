import { describe, expect, spyOn, test } from "bun:test";

import * as fc from "fast-check";

import {
  compileOutputSchema,
  type Enforcer,
  MAX_RESPONSE_LENGTH,
} from "../../../../src/governance/output/output-schema.ts";

const DRAFT_07 = { $schema: "http://json-schema.org/draft-07/schema#" };
const DRAFT_2020 = { $schema: "https://json-schema.org/draft/2020-12/schema" };

function enforcerOf(schema: unknown): Enforcer {
  const compiled = compileOutputSchema(schema);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.enforcer;
}

const person = {
  type: "object",
  required: ["name", "age"],
  properties: { name: { type: "string" }, age: { type: "integer", minimum: 0 } },
  additionalProperties: false,
};
const tree = { properties: { children: { type: "array", items: { $ref: "#" } }, name: { type: "string" } } };

// Parsed, because an object with a `then` looks like a promise to the linter.
const conditional: unknown = JSON.parse(
  '{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}',
);
const nested = (levels: number): string => `${'{"a":'.repeat(levels)}null${"}".repeat(levels)}`;

describe("an answer held against its schema", () => {
  test.each<[unknown, string]>([
    [person, '{"name":"Ada","age":36}'],
    [{ type: "string", maxLength: 5 }, "hello"],
    [{ type: "string" }, ""],
    [{ type: "string" }, "not { JSON"],
    [true, "null"],
    [{}, "[1,2]"],
    [{ type: ["object", "null"] }, "null"],
    [tree, '{"children":[{"children":[],"name":"x"}]}'],
    [{ ...DRAFT_07, items: [{ type: "integer" }], additionalItems: false }, "[1]"],
    [
      { ...DRAFT_07, definitions: { n: { type: "null" } }, properties: { a: { $ref: "#/definitions/n" } } },
      '{"a":null}',
    ],
    [{ ...DRAFT_07, dependencies: { a: ["b"], c: { required: ["d"] } } }, '{"a":1,"b":2}'],
    [{ ...DRAFT_2020, prefixItems: [{ type: "integer" }], items: false }, "[1]"],
    [{ ...DRAFT_2020, $defs: { "a/b~%": { const: 1 } }, $ref: "#/$defs/a~1b~0%25" }, "1"],
    [{ ...DRAFT_2020, allOf: [{ properties: { a: true } }], unevaluatedProperties: false }, '{"a":1}'],
    [conditional, '{"c":1}'],
    [{ oneOf: [{ type: "integer" }, { minimum: 2 }] }, "1"],
    [{ const: { a: [1, null] } }, '{"a":[1,null]}'],
    [{ format: "email" }, '"ada@example.com"'],
    [{ format: "no-such-format" }, '"anything"'],
    [{ pattern: "^[A-Z]{2}-\\d+$" }, '"AB-12"'],
    [{ properties: { toString: true, constructor: { type: "string" } } }, '{"toString":1,"constructor":"x"}'],
  ])("%# satisfies %j: %s", (schema, answer) => {
    expect(enforcerOf(schema).enforce(answer)).toEqual({ valid: true, response: answer });
  });

  test.each<[unknown, string, string]>([
    [person, '{"name":"Ada"}', "the response must have required properties age"],
    [person, '{"name":"Ada","age":-1}', "/age must be >= 0"],
    [person, '{"name":"Ada","age":1,"x":1}', "/x is not allowed"],
    [person, "Ada, 36", "the response is not JSON"],
    [person, "", "the response is not JSON"],
    [person, "[1]", "the response must be object"],
    [{ type: "string", maxLength: 5 }, "hello!", "the response must not have more than 5 characters"],
    [{ type: "object" }, "```json\n{}\n```", "the response is not JSON"],
    [false, "1", "the response is not allowed"],
    [tree, '{"children":[{"name":5}]}', "/children/0/name must be string"],
    [{ ...DRAFT_07, items: [{ type: "integer" }], additionalItems: false }, "[1,2]", "/1 is not allowed"],
    [
      { ...DRAFT_07, dependencies: { a: ["b"] } },
      '{"a":1}',
      "the response must have properties b when property a is present",
    ],
    [{ ...DRAFT_2020, prefixItems: [true], items: false }, "[1,2]", "/1 is not allowed"],
    [
      { ...DRAFT_2020, unevaluatedProperties: false },
      '{"a":1}',
      "the response must not have unevaluated properties",
    ],
    [{ format: "email" }, '"ada"', 'the response must match format "email"'],
    [{ uniqueItems: true }, "[1,1.0]", "the response must not have duplicate items"],
    [{ additionalProperties: false }, '{"__proto__":1}', "/__proto__ is not allowed"],
    [{ additionalProperties: { type: "null" } }, '{"a\\nb\\u2028":1}', "/a b  must be null"],
  ])("%# fails %j: %s", (schema, answer, error) => {
    expect(enforcerOf(schema).enforce(answer)).toEqual({ valid: false, error });
  });

  test.each([
    ['{"name":"EVIL","name":"ok","age":1}', '{"name":"ok","age":1}'],
    ['{"n\\u0061me":"EVIL","age":1,"name":"ok"}', '{"name":"ok","age":1}'],
    [' \n{ "name": "ok",  "age": 1.0 }\n', '{"name":"ok","age":1}'],
    ['{"name":"ok","age":12345678901234567890}', '{"name":"ok","age":12345678901234567000}'],
  ])("is handed on as it was checked: %s", (answer, response) => {
    expect(enforcerOf(person).enforce(answer)).toEqual({ valid: true, response });
  });

  test("is handed on as it was written where it is text", () => {
    expect(enforcerOf({ type: "string" }).enforce(" hi\n")).toEqual({ valid: true, response: " hi\n" });
  });

  test("with a number that no JSON can hold is refused", () => {
    for (const answer of ["1e999", '{"a":[-1e999]}'])
      expect(enforcerOf({}).enforce(answer)).toEqual({
        valid: false,
        error: "the response holds a number that is too large",
      });
  });

  test.each(["[", '{"a":'])("is refused when it nests %p 20,000 deep", (opening) => {
    const outcome = enforcerOf(tree).enforce(opening.repeat(20_000));
    expect(outcome).toEqual({ valid: false, error: expect.stringContaining("levels deep") });
  });

  test("may hold any number of brackets in its texts", () => {
    const answer = JSON.stringify({ name: '["\\{'.repeat(500) });
    expect(enforcerOf(tree).enforce(answer)).toEqual({ valid: true, response: answer });
  });

  test("is refused when it is too long", () => {
    const answer = "x".repeat(MAX_RESPONSE_LENGTH + 1);
    expect(enforcerOf({ type: "string" }).enforce(answer)).toMatchObject({ valid: false });
    expect(enforcerOf({}).enforce(JSON.stringify(answer))).toMatchObject({ valid: false });
  });

  test.each(["uri", "uri-template", "uri-reference", "email"])(
    "fails the format %s where it is longer than any such text, before its pattern is tried",
    (format) => {
      const tried: number[] = [];
      const matching = spyOn(RegExp.prototype, "test").mockImplementation(function (this: RegExp, text) {
        tried.push(text.length);
        return this.exec(text) !== null;
      });
      try {
        const outcome = enforcerOf({ format }).enforce(JSON.stringify(`a:${"/a".repeat(125_000)}|`));
        expect(outcome).toEqual({ valid: false, error: `the response must match format "${format}"` });
        expect(Math.max(0, ...tried)).toBeLessThanOrEqual(4096);
      } finally {
        matching.mockRestore();
      }
    },
  );

  test("fails in one line of bounded length, however long its names", () => {
    const errorFor = (name: string): string => {
      const outcome = enforcerOf({ additionalProperties: false }).enforce(JSON.stringify({ [name]: 1 }));
      if (outcome.valid) throw new Error("was valid");
      return outcome.error;
    };
    expect(errorFor("x\n".repeat(5000))).toHaveLength(errorFor("x".repeat(1000)).length);
    expect(errorFor("x\n".repeat(5000))).not.toContain("\n");
  });

  test("may nest less deep where a recursive schema branches", () => {
    const branching = {
      anyOf: [
        { type: "null" },
        { required: ["x"], properties: { a: { $ref: "#" } } },
        { properties: { a: { $ref: "#" } } },
      ],
    };
    expect(enforcerOf(branching).enforce(nested(5)).valid).toBe(true);
    expect(enforcerOf(branching).enforce(nested(50))).toMatchObject({
      error: expect.stringContaining("levels deep"),
    });
  });

  test("never makes enforcement throw", () => {
    const schema = fc.constantFrom<unknown>(
      person,
      tree,
      true,
      false,
      { type: "string", format: "uri" },
      { ...DRAFT_07, items: [person], uniqueItems: true },
      { propertyNames: { pattern: "^[a-z]*$" } },
      { anyOf: [person, tree, { const: "__proto__" }] },
    );
    const answer = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc.json().map((text) => text.slice(0, -1)),
      fc.constantFrom('"\\', '{"__proto__":{}}', "\uD800", '"\\ud800"', "1e999", "[".repeat(101)),
    );
    fc.assert(
      fc.property(schema, answer, (given, text) => {
        const outcome = enforcerOf(given).enforce(text);
        if (!outcome.valid) return expect(outcome.error).not.toBe("");
        const isText = given instanceof Object && "type" in given && given.type === "string";
        expect(outcome.response).toBe(isText ? text : JSON.stringify(JSON.parse(text.trim())));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a schema that is refused", () => {
  test.each<[unknown, string, string]>([
    [5, "", "a schema must be a mapping, true or false"],
    [
      { type: "strng" },
      "/type",
      '`type` must be one of string, number, integer, boolean, object, array, null, not "strng"; did you mean `string`?',
    ],
    [{ type: [] }, "/type", "`type` must name at least one type, each once"],
    [
      { properties: { "a/b": { minLength: -1 } } },
      "/properties/a~1b/minLength",
      "`minLength` must be a whole number from 0",
    ],
    [{ anyOf: [] }, "/anyOf", "`anyOf` must be a list of schemas that is not empty"],
    [{ anyOf: [{}, "x"] }, "/anyOf/1", "a schema must be a mapping, true or false"],
    [{ required: "a" }, "/required", "`required` must be a list of names, each given once"],
    [{ required: ["a", "a"] }, "/required", "`required` must be a list of names, each given once"],
    [{ required: ["toString"] }, "/required", "`required` cannot require `toString`; choose another name"],
    [{ multipleOf: 0 }, "/multipleOf", "`multipleOf` must be a number greater than 0"],
    [{ properties: [] }, "/properties", "`properties` must be a mapping from names to schemas"],
    [{ items: [{}] }, "/items", "`items` must be one schema in 2020-12; a list of them is `prefixItems`"],
    [
      { pattern: "[" },
      "/pattern",
      "`pattern` is not a regular expression (missing terminating ] for character class)",
    ],
    [{ pattern: 5 }, "/pattern", "`pattern` must be text"],
    [
      { $schema: "http://json-schema.org/draft-04/schema#" },
      "/$schema",
      "only JSON Schema 2020-12 and draft-07 are supported",
    ],
    [
      { $ref: "https://example.com/schema.json" },
      "/$ref",
      "`$ref` must point into this schema, as in `#/$defs/price`; nothing is fetched",
    ],
    [{ $ref: "#/$defs/a" }, "/$ref", "`$ref` points at `#/$defs/a`, where no schema is"],
    [
      { $ref: "#" },
      "",
      "the schema refers to itself without end; let a `$ref` loop lead through `properties` or `items`",
    ],
    [{ items: { $id: "x" } }, "/items/$id", "`$id` may only stand at the top"],
    [
      { $dynamicRef: "#a" },
      "/$dynamicRef",
      "`$dynamicRef` is not supported; use `$ref` with a path such as `#/$defs/price`",
    ],
  ])("%# %j", (schema, pointer, message) => {
    expect(compileOutputSchema(schema)).toEqual({ ok: false, problems: [{ pointer, message }] });
  });

  test("loops through other schemas, also out of sight", () => {
    const loop = { $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } };
    expect(compileOutputSchema({ ...loop, properties: { x: { $ref: "#/$defs/a" } } }).ok).toBe(false);
  });

  test("doubles its work with every step", () => {
    const steps = Array.from({ length: 30 }, (_, step) => {
      const next = { $ref: `#/$defs/s${step + 1}` };
      return [`s${step}`, step === 29 ? {} : { anyOf: [next, next] }];
    });
    const schema = { $ref: "#/$defs/s0", $defs: Object.fromEntries(steps) as unknown };
    expect(compileOutputSchema(schema)).toMatchObject({
      problems: [{ message: expect.stringContaining("branches so often") }],
    });
  });

  test("nests without end", () => {
    let schema: object = {};
    for (let level = 0; level < 20_000; level++) schema = { not: schema };
    expect(compileOutputSchema(schema)).toMatchObject({ ok: false });
  });

  test("names all its faults at once", () => {
    const compiled = compileOutputSchema({ type: "strng", properties: { a: { minimum: "1" } }, enum: 5 });
    expect(compiled).toMatchObject({
      problems: [{ pointer: "/type" }, { pointer: "/properties/a/minimum" }, { pointer: "/enum" }],
    });
  });
});

test("a keyword or format that is nearly right is warned of", () => {
  expect(compileOutputSchema({ reqired: ["a"], format: "emial", "x-origin": 1 })).toMatchObject({
    ok: true,
    warnings: [
      { pointer: "/reqired", message: "`reqired` checks nothing; did you mean `required`?" },
      {
        pointer: "/format",
        message: "the format `emial` is unknown and checks nothing; did you mean `email`?",
      },
    ],
  });
});
