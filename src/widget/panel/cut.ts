/** Marks code and tables that are wider than their box; the style sheet fades their edge. */
export function markCut(box: HTMLElement): void {
  for (const wide of box.querySelectorAll("pre, .table")) {
    // In right-to-left text, scrollLeft is negative.
    const left = wide.scrollWidth - wide.clientWidth - Math.abs(wide.scrollLeft);
    wide.classList.toggle("cut", left > 1);
  }
}
