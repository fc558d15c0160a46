/** The type of a keyword's value; the table below is the meta-schema of both drafts as far as Parley needs it. */
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
 * Where a keyword applies its schemas: to the same value (`here`), to one named child each (`apart`), to children that other keywords may check
 * too (`below`), or nowhere, because only `$ref` leads there.
 */
export type Reach = "here" | "apart" | "below" | "nowhere";

export interface Keyword {
  kind: KeywordKind;
  reach?: Reach;
}

const applying = (name: KeywordKind, reach: Reach): Keyword => ({ kind: name, reach });
const kind = (name: KeywordKind): Keyword => ({ kind: name });

/** The keywords of JSON Schema 2020-12 and draft-07. */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map([
  ["type", kind("type")],
  ["enum", kind("list")],
  ["const", kind("anything")],
  ["multipleOf", kind("positive")],
  ["maximum", kind("number")],
  ["minimum", kind("number")],
  ["exclusiveMaximum", kind("number")],
  ["exclusiveMinimum", kind("number")],
  ["maxLength", kind("count")],
  ["minLength", kind("count")],
  ["pattern", kind("pattern")],
  ["maxItems", kind("count")],
  ["minItems", kind("count")],
  ["uniqueItems", kind("boolean")],
  ["maxContains", kind("count")],
  ["minContains", kind("count")],
  ["maxProperties", kind("count")],
  ["minProperties", kind("count")],
  ["required", kind("texts")],
  ["dependentRequired", kind("textsMap")],
  ["format", kind("format")],
  ["allOf", applying("schemas", "here")],
  ["anyOf", applying("schemas", "here")],
  ["oneOf", applying("schemas", "here")],
  ["not", applying("schema", "here")],
  ["if", applying("schema", "here")],
  ["then", applying("schema", "here")],
  ["else", applying("schema", "here")],
  ["dependentSchemas", applying("schemaMap", "here")],
  ["dependencies", applying("dependencies", "here")],
  ["properties", applying("schemaMap", "apart")],
  ["patternProperties", applying("schemaMap", "below")],
  ["additionalProperties", applying("schema", "below")],
  ["unevaluatedProperties", applying("schema", "below")],
  ["propertyNames", applying("schema", "below")],
  ["prefixItems", applying("schemas", "apart")],
  ["items", applying("schemaOrSchemas", "below")],
  ["additionalItems", applying("schema", "below")],
  ["unevaluatedItems", applying("schema", "below")],
  ["contains", applying("schema", "below")],
  ["$defs", applying("schemaMap", "nowhere")],
  ["definitions", applying("schemaMap", "nowhere")],
  ["contentSchema", applying("schema", "nowhere")],
  ["$ref", applying("ref", "here")],
  ["$dynamicRef", kind("unsupported")],
  ["$recursiveRef", kind("unsupported")],
  ["$dynamicAnchor", kind("unsupported")],
  ["$recursiveAnchor", kind("unsupported")],
  ["$id", kind("text")],
  ["$schema", kind("text")],
  ["$anchor", kind("unsupported")],
  ["$comment", kind("text")],
  ["$vocabulary", kind("anything")],
  ["title", kind("text")],
  ["description", kind("text")],
  ["default", kind("anything")],
  ["examples", kind("list")],
  ["deprecated", kind("boolean")],
  ["readOnly", kind("boolean")],
  ["writeOnly", kind("boolean")],
  ["contentEncoding", kind("text")],
  ["contentMediaType", kind("text")],
]);

export const TYPE_NAMES = ["string", "number", "integer", "boolean", "object", "array", "null"];
