import {
  type ObjectOptions,
  type SchemaOptions,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";

/** Options of an object that takes no other fields. */
export const strict = { additionalProperties: false } as const;

/** An object with a name, under which OpenAPI and the JSON Schema of bot files show it. */
export function named<Fields extends TProperties>(
  name: string,
  fields: Fields,
  options: ObjectOptions = {},
): TObject<Fields> {
  return Type.Object(fields, { ...options, $id: name });
}

/** An object that takes no other fields. */
export const strictObject = <Fields extends TProperties>(fields: Fields): TObject<Fields> =>
  Type.Object(fields, strict);

/** A named object that takes no other fields. */
export const namedStrict = <Fields extends TProperties>(name: string, fields: Fields): TObject<Fields> =>
  named(name, fields, strict);

/** A text that is not empty. */
export const textUpTo = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, description });

/** A whole number between two bounds, both included. */
export const integer = (minimum: number, maximum: number, description: string) =>
  Type.Integer({ minimum, maximum, description });

/** True or false; it may be absent. */
export const optionalFlag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** One of several texts. */
export function oneOf<const Text extends string>(
  texts: readonly Text[],
  options: SchemaOptions = {},
): TUnsafe<Text> {
  return Type.Unsafe<Text>(
    Type.Union(
      texts.map((text) => Type.Literal(text)),
      options,
    ),
  );
}

/** A list whose type is read-only. */
export function listOf<Item extends TSchema>(item: Item): TUnsafe<readonly Static<Item>[]> {
  return Type.Unsafe<readonly Static<Item>[]>(Type.Array(item));
}
