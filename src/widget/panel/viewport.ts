import type { Shell } from "../shell.ts";
import { tabMark } from "../stored.ts";

/** Where the panel covers the page: the condition of the style sheets, too. */
export const FULL_SCREEN = "(max-width: 479.9px), (max-height: 479.9px)";

/**
 * Where the panel fills the screen, it follows the visual viewport, so that a phone's keyboard covers neither the composer nor the
 * header; the page behind, which cannot be seen, neither scrolls nor gets the Tab key.
 */
export function followViewport(shell: Shell, signal: AbortSignal): void {
  const { root, options, on, isOpen } = shell;
  const view = visualViewport;
  const fit = () => {
    if (view === null || view.scale > 1.01) return;
    // Lengths in style sheets are multiplied by what the page's root is zoomed by.
    const zoom = root.currentCSSZoom || 1;
    root.style.setProperty("--view-height", `${view.height / zoom}px`);
    root.style.setProperty("--view-top", `${view.offsetTop / zoom}px`);
  };
  view?.addEventListener("resize", fit, { signal });
  view?.addEventListener("scroll", fit, { signal });
  fit();
  if (options.container) return;
  root.addEventListener("keydown", (event) => keepTabInside(root, event), { signal });
  const page = holdPage();
  signal.addEventListener("abort", page.release);
  on("open", page.hold);
  on("close", page.release);
  if (isOpen()) page.hold();
  keepOpenOverLoads(shell, signal);
}

/** Keeps the page from scrolling under a panel that covers it, and leaves it where it was. */
function holdPage() {
  const still = new CSSStyleSheet();
  still.replaceSync(`@media ${FULL_SCREEN}{html{overflow:hidden!important}}`);
  let at: readonly [number, number] = [0, 0];
  const others = () => document.adoptedStyleSheets.filter((sheet) => sheet !== still);
  return {
    hold(): void {
      at = [scrollX, scrollY];
      document.adoptedStyleSheets = [...others(), still];
    },
    release(): void {
      if (!document.adoptedStyleSheets.includes(still)) return;
      document.adoptedStyleSheets = others();
      if (matchMedia(FULL_SCREEN).matches) scrollTo(...at);
    },
  };
}

/** A panel beside the page stands open on the next page, too. One that covers the page would hide what the visitor has gone to. */
function keepOpenOverLoads({ options, isOpen }: Shell, signal: AbortSignal): void {
  const mark = tabMark(options.botId);
  addEventListener("pagehide", () => mark.set(isOpen() && !matchMedia(FULL_SCREEN).matches ? "open" : ""), {
    signal,
  });
}

function keepTabInside(panel: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab" || !matchMedia(FULL_SCREEN).matches) return;
  const stops = [...panel.querySelectorAll<HTMLElement>("button, a, textarea, [tabindex='0']")];
  const [from, to] = event.shiftKey ? [0, -1] : [-1, 0];
  if (event.target !== stops.at(from)) return;
  event.preventDefault();
  stops.at(to)?.focus();
}
