import { encode } from "uqr";

import { create } from "./elements.ts";

const SVG = "http://www.w3.org/2000/svg";
/** White margin in modules, by which cameras find the code's edge (ISO/IEC 18004 requires 4). */
const QUIET_ZONE = 4;
/** Characters, chosen by hand: longer texts need modules that are too small to scan from a screen. */
const LONGEST = 500;

/** A text as a QR code, with the text below it. */
export function qrElement(text: string): HTMLElement {
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
