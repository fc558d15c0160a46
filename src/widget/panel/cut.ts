/** Marks code and tables that go on beyond their edge, so that they fade out there instead of ending in the middle of a letter. */
export function markCut(box: HTMLElement): void {
  for (const wide of box.querySelectorAll("pre, .table")) {
    // From right to left, scrollLeft counts below zero.
    const left = wide.scrollWidth - wide.clientWidth - Math.abs(wide.scrollLeft);
    wide.classList.toggle("cut", left > 1);
  }
}
