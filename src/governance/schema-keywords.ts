/** What a keyword's value holds; the table below is the meta-schema of both drafts, as far as output schemas need it. */
export type KeywordKind =
  | "schema"
  | "schemas"
  | "schemaMap"
  | "schemaOrSchemas"
  | "dependencies"
  | "count"
  | "number"
  | "positive"
  | "boolean"
  | "text"
  | "texts"
  | "textsMap"
  | "list"
  | "type"
  | "pattern"
  | "format"
  | "ref"
  | "unsupported"
  | "anything";

/**
 * Where a keyword applies its schemas: to the same value (`here`), to one child each, named apart (`apart`), or to
 * children that other keywords may see too (`below`).
 */
export type Reach = "here" | "apart" | "below" | "nowhere";

export interface Keyword {
  kind: KeywordKind;
  reach?: Reach;
}

const kind = (name: KeywordKind): Keyword => ({ kind: name });

/** The keywords of JSON Schema 2020-12 and draft-07. */
export const KEYWORDS: Readonly<Record<string, Keyword>> = {
  type: kind("type"),
  enum: kind("list"),
  const: kind("anything"),
  multipleOf: kind("positive"),
  maximum: kind("number"),
  minimum: kind("number"),
  exclusiveMaximum: kind("number"),
  exclusiveMinimum: kind("number"),
  maxLength: kind("count"),
  minLength: kind("count"),
  pattern: kind("pattern"),
  maxItems: kind("count"),
  minItems: kind("count"),
  uniqueItems: kind("boolean"),
  maxContains: kind("count"),
  minContains: kind("count"),
  maxProperties: kind("count"),
  minProperties: kind("count"),
  required: kind("texts"),
  dependentRequired: kind("textsMap"),
  format: kind("format"),
  allOf: { kind: "schemas", reach: "here" },
  anyOf: { kind: "schemas", reach: "here" },
  oneOf: { kind: "schemas", reach: "here" },
  not: { kind: "schema", reach: "here" },
  if: { kind: "schema", reach: "here" },
  then: { kind: "schema", reach: "here" },
  else: { kind: "schema", reach: "here" },
  dependentSchemas: { kind: "schemaMap", reach: "here" },
  dependencies: { kind: "dependencies", reach: "here" },
  properties: { kind: "schemaMap", reach: "apart" },
  patternProperties: { kind: "schemaMap", reach: "below" },
  additionalProperties: { kind: "schema", reach: "below" },
  unevaluatedProperties: { kind: "schema", reach: "below" },
  propertyNames: { kind: "schema", reach: "below" },
  prefixItems: { kind: "schemas", reach: "apart" },
  items: { kind: "schemaOrSchemas", reach: "below" },
  additionalItems: { kind: "schema", reach: "below" },
  unevaluatedItems: { kind: "schema", reach: "below" },
  contains: { kind: "schema", reach: "below" },
  $defs: { kind: "schemaMap", reach: "nowhere" },
  definitions: { kind: "schemaMap", reach: "nowhere" },
  contentSchema: { kind: "schema", reach: "nowhere" },
  $ref: { kind: "ref", reach: "here" },
  $dynamicRef: kind("unsupported"),
  $recursiveRef: kind("unsupported"),
  $dynamicAnchor: kind("unsupported"),
  $recursiveAnchor: kind("unsupported"),
  $id: kind("text"),
  $schema: kind("text"),
  $anchor: kind("unsupported"),
  $comment: kind("text"),
  $vocabulary: kind("anything"),
  title: kind("text"),
  description: kind("text"),
  default: kind("anything"),
  examples: kind("list"),
  deprecated: kind("boolean"),
  readOnly: kind("boolean"),
  writeOnly: kind("boolean"),
  contentEncoding: kind("text"),
  contentMediaType: kind("text"),
};

export const TYPE_NAMES = ["string", "number", "integer", "boolean", "object", "array", "null"];
