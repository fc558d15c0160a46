/** Keeps an element in the document when the page replaces its parents. @returns a function that inserts and removes the element. */
export function keepPresent(element: HTMLElement, container: string | undefined): (present: boolean) => void {
  const root = document.documentElement;
  const observer = new MutationObserver(attach);
  function attach(): void {
    if (element.isConnected) return;
    // Beside the body, because pages may replace the body. A container may appear late, or again after a change of route.
    (container ? document.querySelector(container) : root)?.append(element);
    // Browsers from before 2024 have no popover: the element stays in the page's own layer.
    if (element.popover && element.isConnected) element.showPopover?.();
  }
  return (present) => {
    observer.disconnect();
    if (present) {
      observer.observe(root, { childList: true, subtree: !!container });
      attach();
    } else element.remove();
  };
}
