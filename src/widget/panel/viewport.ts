/**
 * Where the panel fills the screen it follows the visual viewport, so that a phone's keyboard covers neither the
 * composer nor the header; and it keeps the Tab key inside, since nothing else can be seen.
 */
export function followViewport(panel: HTMLElement, signal: AbortSignal): void {
  const view = visualViewport;
  const fit = () => {
    if (view === null || view.scale > 1.01) return;
    panel.style.setProperty("--view-height", `${view.height}px`);
    panel.style.setProperty("--view-top", `${view.offsetTop}px`);
  };
  view?.addEventListener("resize", fit, { signal });
  view?.addEventListener("scroll", fit, { signal });
  panel.addEventListener("keydown", (event) => keepTabInside(panel, event), { signal });
  fit();
}

const FOCUSABLE = "button, a[href], textarea, [tabindex='0']";

function keepTabInside(panel: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab" || panel.clientWidth < innerWidth) return;
  const stops = [...panel.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const [first, last] = event.shiftKey ? [stops.at(-1), stops[0]] : [stops[0], stops.at(-1)];
  if ((panel.getRootNode() as ShadowRoot).activeElement !== last) return;
  event.preventDefault();
  first?.focus();
}
