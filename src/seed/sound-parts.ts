import type { BotDocument } from "../domain/bot.ts";
import type { BotId } from "../domain/ids.ts";
import { isJsonObject } from "../domain/json-object.ts";

/** Values for required fields that are missing or at fault, so that rules find a whole document. No rule objects to them. */
const PLACEHOLDERS: Pick<BotDocument, "id" | "name" | "allowedDomains"> = {
  id: "unnamed" as BotId,
  name: "Unnamed",
  allowedDomains: [],
};

/** Fields that cannot be judged once another is gone. */
const DEPENDENTS: ReadonlyMap<string, readonly string[]> = new Map([
  ["intents", ["defaultIntent", "capabilityProfile", "tests"]],
  ["fallbackResponse", ["outputSchema", "intents", "defaultIntent", "capabilityProfile", "tests"]],
  ["responder", ["intents", "defaultIntent", "capabilityProfile", "tests"]],
]);

/**
 * A document without the top-level fields that contain mistakes of shape (JSON Pointers), so that rules can
 * judge the rest in the same run.
 */
export function soundParts(document: unknown, faultPointers: readonly string[]): BotDocument | undefined {
  if (!isJsonObject(document)) return undefined;
  const faulty = faultPointers.map((pointer) => pointer.split("/")[1] ?? "");
  const dropped = new Set(faulty.flatMap((field) => [field, ...(DEPENDENTS.get(field) ?? [])]));
  const sound = Object.entries(document).filter(([field]) => !dropped.has(field));
  return { ...PLACEHOLDERS, ...Object.fromEntries(sound) };
}
