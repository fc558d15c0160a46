const SVG = "http://www.w3.org/2000/svg";

export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Element[]
): HTMLElementTagNameMap[T] {
  const node = document.createElement(tag);
  for (const name in attributes) node.setAttribute(name, attributes[name]!);
  node.append(...children);
  return node;
}

/** A 24-unit icon drawn by one path. */
export function icon(className: string, path: string): SVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const shape = document.createElementNS(SVG, "path");
  shape.setAttribute("d", path);
  svg.append(shape);
  return svg;
}

export function sheetOf(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
