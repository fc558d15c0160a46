/** Keeps an element in the document, whatever the page replaces around it; returns how to put it in and take it out. */
export function keepPresent(element: HTMLElement, container: string | undefined): (present: boolean) => void {
  const root = document.documentElement;
  const observer = new MutationObserver(attach);
  function attach(): void {
    if (element.isConnected) return;
    // Next to the body, so that it stays when the page replaces the body. A container may appear late, or again after a change of route.
    (container ? document.querySelector(container) : root)?.append(element);
    // Browsers of before 2024 know no popover: there it is an element like any other.
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
