import type { Shell } from "../shell.ts";
import { clearTabMark, setTabMark } from "../stored.ts";

/** Media query for a panel that covers the page; the style sheets repeat it. */
export const FULL_SCREEN = "(max-width: 479.9px), (max-height: 479.9px)";

/** Height below which suggestions form a single row: a phone's keyboard leaves less. Chosen by hand. */
const SHORT_PX = 480;
/** Height below which only the conversation and the composer are shown: a zoom of 400 % leaves less. Chosen by hand. */
const TINY_PX = 300;

/**
 * A panel that covers the page follows the visual viewport, so that a phone's keyboard covers neither the composer nor the header. The
 * hidden page behind it neither scrolls nor takes the focus.
 */
export function followViewport(shell: Shell, signal: AbortSignal): void {
  const { root, options } = shell;
  const view = visualViewport;
  const fit = () => {
    if (view === null || view.scale > 1.01) return;
    // Lengths in style sheets are multiplied by the zoom of the page's root.
    const zoom = root.currentCSSZoom || 1;
    root.style.setProperty("--view-height", `${view.height / zoom}px`);
    root.style.setProperty("--view-top", `${view.offsetTop / zoom}px`);
    const covers = !options.container && matchMedia(FULL_SCREEN).matches;
    root.classList.toggle("short", covers && view.height < SHORT_PX);
    root.classList.toggle("tiny", covers && view.height < TINY_PX);
  };
  view?.addEventListener("resize", fit, { signal });
  view?.addEventListener("scroll", fit, { signal });
  fit();
  if (options.container) return;
  root.addEventListener("keydown", (event) => keepTabInside(root, event), { signal });
  holdPage(shell, signal);
  keepOpenOverLoads(shell, signal);
}

/** Keeps the page from scrolling under a panel that covers it, and restores its position. */
function holdPage({ isOpen, on }: Shell, signal: AbortSignal): void {
  const still = new CSSStyleSheet();
  still.replaceSync("html{overflow:hidden!important}");
  const covers = matchMedia(FULL_SCREEN);
  let at: readonly [number, number] | undefined;
  const update = () => {
    const held = isOpen() && covers.matches && !signal.aborted;
    if (held === (at !== undefined)) return;
    const others = document.adoptedStyleSheets.filter((sheet) => sheet !== still);
    document.adoptedStyleSheets = held ? [...others, still] : others;
    if (at) scrollTo(...at);
    at = held ? [scrollX, scrollY] : undefined;
  };
  on("open", update);
  on("close", update);
  covers.addEventListener("change", update, { signal });
  signal.addEventListener("abort", update);
  update();
}

/** A panel beside the page is open again on the next page. One that covers the page is not: it would hide the page just visited. */
function keepOpenOverLoads({ options, isOpen }: Shell, signal: AbortSignal): void {
  const leave = () => {
    clearTabMark(options.botId);
    if (isOpen() && !matchMedia(FULL_SCREEN).matches) setTabMark(options.botId, "open");
  };
  addEventListener("pagehide", leave, { signal });
}

function keepTabInside(panel: HTMLElement, event: KeyboardEvent): void {
  if (event.key !== "Tab" || !matchMedia(FULL_SCREEN).matches) return;
  const stops = [...panel.querySelectorAll<HTMLElement>("button, a, textarea, [tabindex='0']")];
  const [from, to] = event.shiftKey ? [0, -1] : [-1, 0];
  if (event.target !== stops.at(from)) return;
  event.preventDefault();
  stops.at(to)?.focus();
}
