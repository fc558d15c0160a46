import { BotDocument } from "../domain/bot.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/**
 * The JSON Schema of bot files (draft-07, which the editors' YAML language servers understand best), from the schema
 * that `parley seed` checks them against.
 */
export function botJsonSchema(): Record<string, unknown> {
  // A round trip through JSON removes the symbols with which TypeBox marks its schemas.
  const schema = plainSchema(JSON.parse(JSON.stringify(BotDocument)) as Json) as Record<string, Json>;
  return { $schema: "http://json-schema.org/draft-07/schema#", ...schema };
}

/** TypeBox's pattern for "any field". */
const ANY_FIELD = "^(.*)$";

/** Removes nested ids and TypeBox's pattern for "any field", and turns unions of constants into `enum`, which editors complete. */
function plainSchema(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (schema === null || typeof schema !== "object") return schema;
  const { $id: _id, patternProperties, anyOf, ...others } = schema;
  const rest = { ...others, ...plainFields(patternProperties) };
  const kept = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, plainSchema(value)]));
  if (anyOf === undefined) return kept;
  const constants = constantsOf(anyOf);
  return constants === undefined
    ? { ...kept, anyOf: plainSchema(anyOf) }
    : { ...kept, type: "string", enum: constants };
}

function plainFields(patternProperties: Json | undefined): Record<string, Json> {
  if (patternProperties === undefined) return {};
  const anything = (patternProperties as Record<string, Json>)[ANY_FIELD];
  return anything === undefined ? { patternProperties } : { additionalProperties: anything };
}

function constantsOf(anyOf: Json): string[] | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const constants = anyOf.flatMap((variant) =>
    variant !== null &&
    typeof variant === "object" &&
    !Array.isArray(variant) &&
    typeof variant["const"] === "string"
      ? [variant["const"]]
      : [],
  );
  return constants.length === anyOf.length ? constants : undefined;
}
