import {
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

/** A list that nobody changes once it is read. */
export function listOf<Item extends TSchema>(item: Item): TUnsafe<readonly Static<Item>[]> {
  return Type.Unsafe<readonly Static<Item>[]>(Type.Array(item));
}

/** An object with a name, under which OpenAPI documents refer to it. */
export function named<Fields extends TProperties>($id: string, fields: Fields): TObject<Fields> {
  return Type.Object(fields, { $id });
}
