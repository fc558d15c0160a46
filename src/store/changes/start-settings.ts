import { Type } from "@sinclair/typebox";

import { maskStored } from "../../config/settings.ts";
import type { Change } from "../../domain/change.ts";
import type { StartSettings } from "../interface/changes.ts";
import { JsonColumn } from "../json-column.ts";
import { diffDocuments } from "./field-changes.ts";

const SETTINGS = new JsonColumn("server_starts.settings", Type.Record(Type.String(), Type.Unknown()));

/** What is stored of a start, and the change that it is from the one before; undefined where nothing changed. Earlier versions stored secrets: they are masked. Pure. */
export function readStart(
  before: string,
  settings: StartSettings,
): { text: string; change: Change | undefined } {
  const after = JSON.parse(JSON.stringify(settings)) as StartSettings;
  const difference = diffDocuments(masked(SETTINGS.parse(before, "its only row")), after);
  const isChanged = difference.fields.length + difference.omittedFields > 0;
  return {
    text: JSON.stringify(after),
    change: isChanged ? { kind: "server.settings", subject: "server", bots: [], ...difference } : undefined,
  };
}

function masked(settings: StartSettings): StartSettings {
  return Object.fromEntries(
    Object.entries(settings).map(([name, stored]) => [name, maskStored(name, stored)]),
  );
}
