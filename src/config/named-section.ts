import { type Static, type TObject, type TString, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { didYouMean } from "../domain/closest-name.ts";
import { isJsonObject } from "../domain/json-object.ts";
import type { Parser } from "./parsers.ts";

/** A section of the config file whose entries have names and one shape. */
interface NamedSection<Schema extends TObject, Url extends keyof Static<Schema> & string, Address> {
  schema: Schema;
  /** Error for a section of another shape. */
  what: string;
  /** The fields that an entry cannot do without. */
  needs: string;
  /** The field that holds an address, and how it is read. */
  url: { field: Url; parse: Parser<Address> };
  /** The intended name of a misspelt field; undefined: the closest of the fields. */
  hintFor: (key: string) => string | undefined;
}

/** A field that names where a secret is, as none stands in a config file. @param what what the variable holds. */
export function secretVariable(what: string): TString {
  return Type.String({
    pattern: "^(?!PARLEY_|whsec_)[A-Za-z_][A-Za-z0-9_]*$",
    description: `the name of the environment variable that holds the ${what}; PARLEY_… are the settings' own`,
  });
}

const ENTRY_NAME = /^[a-z0-9]+([._-][a-z0-9]+)*$/;

/** Reads such a section, as JSON. Messages name the fault, and never repeat a value: it could be a secret. */
export function namedSection<Schema extends TObject, Url extends keyof Static<Schema> & string, Address>(
  section: NamedSection<Schema, Url, Address>,
): Parser<Readonly<Record<string, Omit<Static<Schema>, Url> & Record<Url, Address>>>> {
  return (text) => {
    const value = parseJson(text);
    if (!isJsonObject(value)) throw new Error(section.what);
    const faults = Object.entries(value).flatMap(([name, entry]) => entryFaults(section, name, entry));
    if (faults.length > 0) throw new AggregateError(faults.map((fault) => new Error(fault)));
    const { field, parse } = section.url;
    const entries = Object.entries(value as Record<string, Record<string, unknown>>);
    return Object.fromEntries(
      entries.map(([name, entry]) => [name, { ...entry, [field]: parse(String(entry[field])) }]),
    ) as Record<string, Omit<Static<Schema>, Url> & Record<Url, Address>>;
  };
}

type AnySection = NamedSection<TObject, string, unknown>;

function entryFaults(section: AnySection, name: string, value: unknown): string[] {
  const fields = Object.keys(section.schema.properties);
  if (!ENTRY_NAME.test(name)) return [`should have short lower-case names, unlike \`${name}\``];
  if (!isJsonObject(value)) return [`needs ${section.needs} under \`${name}\``];
  const unknown = Object.keys(value).filter((key) => !fields.includes(key));
  return [
    ...unknown.map((key) => {
      return `has no field \`${name}.${key}\`${section.hintFor(key) ?? didYouMean(key, fields)}`;
    }),
    ...fields.flatMap((field) => fieldFaults(section, name, field, value)),
  ];
}

function fieldFaults({ schema, url }: AnySection, name: string, field: string, entry: object): string[] {
  const isHere = (path: string) => path === `/${field}` || path.startsWith(`/${field}/`);
  const isFaulty = [...Value.Errors(schema, entry)].some(({ path }) => isHere(path));
  const another = field in entry ? "another " : "";
  if (isFaulty) return [`needs ${another}\`${name}.${field}\`: ${schema.properties[field]!.description}`];
  return field === url.field ? urlFaults(url, name, String((entry as Record<string, unknown>)[field])) : [];
}

function urlFaults({ field, parse }: AnySection["url"], name: string, text: string): string[] {
  try {
    parse(text);
    return [];
  } catch (error) {
    return [`has a wrong \`${name}.${field}\`: it ${(error as Error).message}`];
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error("should be a section of the config file, or JSON", { cause });
  }
}
