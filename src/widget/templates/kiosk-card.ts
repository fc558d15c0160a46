import { create } from "./elements.ts";
import { qrElement } from "./qr-code.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Fields that do not appear among the facts: the card shows them elsewhere, or not at all. */
const SPECIAL = new Set(["title", "text", "steps", "icon"]);

/** The object that an answer under an output schema is, if it has a title to show it by. */
export function parseCard(text: string): Fields | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    const fields = JSON.parse(text) as Fields;
    return typeof fields["title"] === "string" ? fields : undefined;
  } catch {
    return undefined; // Prose that begins with a brace.
  }
}

/** `place: {floor: 1, room: "B12"}` as floor and room. */
function flatten(fields: Fields): (readonly [string, string])[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    if (SPECIAL.has(name)) return [];
    if (typeof value === "object" && value !== null) return flatten(value as Fields);
    return [[name, String(value)] as const];
  });
}

/** A name of two letters is an abbreviation: `qr` as QR. */
const labelOf = (name: string) => (name.length < 3 ? name.toUpperCase() : name);

/** An answer that is data, drawn large: title and text, steps in order, and whatever else it says by name. */
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
