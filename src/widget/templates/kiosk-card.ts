import { create } from "./elements.ts";
import { qrElement } from "./qr-code.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Fields that are not listed as facts, because the card shows them elsewhere or not at all. */
const SPECIAL = new Set(["title", "text", "steps", "icon"]);

/** Parses an answer that follows an output schema; undefined unless it is an object with a title. */
export function parseCard(text: string): Fields | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const fields = JSON.parse(text) as Fields;
    return typeof fields["title"] === "string" ? fields : undefined;
  } catch {
    return undefined; // Prose that begins with a brace.
  }
}

/** Flattens `place: {floor: 1, room: "B12"}` to floor and room. */
function flatten(fields: Fields): (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (SPECIAL.has(name)) return [];
    if (typeof value === "object" && value !== null) return flatten(value as Fields);
    return [[name, String(value)] as const];
  });
}

/** Names of up to two letters are abbreviations: `qr` becomes QR. */
const labelOf = (name: string) => (name.length < 3 ? name.toUpperCase() : name);

/** Draws a structured answer: title and text, steps in order, all other fields as facts. */
export function cardElement(fields: Fields): HTMLElement {
  const { title, text, steps } = fields;
  const card = create("div", { className: "kiosk-card" }, create("h3", { textContent: String(title) }));
  if (typeof text === "string") card.append(create("p", { textContent: text }));
  if (Array.isArray(steps)) {
    card.append(create("ol", {}, ...steps.map((step) => create("li", { textContent: String(step) }))));
  }
  const facts = flatten(fields);
  if (facts.length === 0) return card;
  const rows = facts.flatMap(([name, value]) => [
    create("dt", { textContent: labelOf(name) }),
    name === "qr" ? create("dd", {}, qrElement(value)) : create("dd", { textContent: value }),
  ]);
  card.append(create("dl", {}, ...rows));
  return card;
}
