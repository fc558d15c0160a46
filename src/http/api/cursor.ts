import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

import { invalid } from "../json-body.ts";
import { oddValues } from "./read-call.ts";

/** A place in a list as an opaque text for clients. */
export function cursorOf(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** The place of a cursor. @throws ServiceError INVALID_REQUEST if it is not from this list. */
export function placeOf<Place extends TSchema>(schema: Place, cursor: string): Static<Place> {
  const place = parse(cursor);
  if (Value.Check(schema, place) && oddValues(place).length === 0) return place;
  throw noCursor();
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch (error) {
    throw noCursor(error);
  }
}

function noCursor(cause?: unknown) {
  const detail = "is no cursor of this list; begin again without it";
  return invalid(`The cursor ${detail}.`, [{ pointer: "/cursor", detail }], cause);
}
