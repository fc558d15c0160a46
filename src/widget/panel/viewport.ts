/**
 * Where the panel fills the screen, it follows the visual viewport, so that a phone's keyboard covers neither the composer nor the
 * header. The Tab key stays inside, because the page behind cannot be seen.
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

function keepTabInside(panel: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab" || panel.clientWidth < innerWidth) return;
  const stops = [...panel.querySelectorAll<HTMLElement>("button, a, textarea, [tabindex='0']")];
  const [from, to] = event.shiftKey ? [0, -1] : [-1, 0];
  if (event.target !== stops.at(from)) return;
  event.preventDefault();
  stops.at(to)?.focus();
}
