import { encode } from "uqr";

import { create } from "./elements.ts";

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

const SVG = "http://www.w3.org/2000/svg";
/** White margin in modules, by which cameras find the code's edge (ISO/IEC 18004 requires 4). */
const QUIET_ZONE = 4;
/** Characters, chosen by hand: longer texts need modules that are too small to scan from a screen. */
const LONGEST = 500;

/** A text as a QR code, with the text below it. */
function qrElement(text: string): HTMLElement {
  const caption = create("span", { textContent: text });
  if (text.length > LONGEST) return caption;
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const code = document.createElementNS(SVG, "svg");
  code.setAttribute("viewBox", `0 0 ${size} ${size}`);
  code.setAttribute("aria-hidden", "true");
  const modules = document.createElementNS(SVG, "path");
  const squares = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")).join(""));
  modules.setAttribute("d", squares.join(""));
  code.append(modules);
  return create("div", { className: "kiosk-qr" }, code, caption);
}

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
