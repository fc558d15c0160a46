import { editBot } from "./bot-edits.ts";
import { type Path, readValue } from "./place.ts";
import { type Edit, isFields, valueAt } from "./plain.ts";

/**
 * Renames a slot of an intent, and what its action says of it: path, body, proof, confirmation and answers. Undefined if a place is reached
 * through an alias.
 *
 * @param intent the intent's path
 */
export function renameSlot(text: string, intent: Path, at: number, to: string): string | undefined {
  const slots = valueAt(readValue(text), [...intent, "slots"]);
  const names = Array.isArray(slots) ? slots.map((slot) => valueAt(slot, ["name"])) : [];
  const from = names[at];
  const own: Edit = { kind: "set", path: [...intent, "slots", at, "name"], value: to };
  // If two slots have this name, what the action says still means the other one.
  const isOnlyOne = typeof from === "string" && names.indexOf(from) === names.lastIndexOf(from);
  return editBot(text, own, ...(isOnlyOne ? usesOf(text, [...intent, "action"], from, to) : []));
}

function usesOf(text: string, path: Path, from: string, to: string): Edit[] {
  const action = valueAt(readValue(text), path);
  if (!isFields(action)) return [];
  const { proof, path: address, body, confirm, answers } = action;
  const said = Array.isArray(answers) ? answers.map((answer) => ({ say: valueAt(answer, ["say"]) })) : [];
  const proofs = Array.isArray(proof) ? proof : [];
  return [
    ...proofs.flatMap((name, at): Edit[] =>
      name === from ? [{ kind: "set", path: [...path, "proof", at], value: to }] : [],
    ),
    ...textsIn({ path: address, body, confirm, answers: said }, path).flatMap(
      ({ path: place, text: written }) => {
        const value = inBraces(written, from, to);
        return value === written ? [] : [{ kind: "set", path: place, value } as const];
      },
    ),
  ];
}

function textsIn(value: unknown, path: Path): { path: Path; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  const entries = Array.isArray(value) ? [...value.entries()] : isFields(value) ? Object.entries(value) : [];
  return entries.flatMap(([step, inner]: [string | number, unknown]) => textsIn(inner, [...path, step]));
}

/** With the other name wherever the slot stands in braces; `{{` is a brace. */
function inBraces(text: string, from: string, to: string): string {
  return text.replaceAll(/\{\{|\{([^}]*)\}/g, (written, inside?: string) => {
    const name = inside?.match(/^\s*([A-Za-z][A-Za-z0-9_]*)\s*(?=,|$)/)?.[1];
    return name === from ? written.replace(from, () => to) : written;
  });
}
