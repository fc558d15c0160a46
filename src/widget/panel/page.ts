import type { Shell } from "../shell.ts";

/** Characters of an answer that are announced, chosen by hand; the visitor reads the rest in the panel. */
const MAX_SAID = 200;

/** Keeps keys typed in the panel from the page's shortcuts; Escape closes the panel. */
export function listenToKeys({ root, close }: Shell, signal: AbortSignal): void {
  const shadow = root.getRootNode();
  for (const type of ["keydown", "keyup", "keypress"]) {
    shadow.addEventListener(
      type,
      (event) => {
        const { key, isComposing } = event as KeyboardEvent;
        // The page sees these events at the host element, which is no input: it would run its shortcuts.
        event.stopPropagation();
        if (type === "keydown" && key === "Escape" && !isComposing) close();
      },
      { signal },
    );
  }
}

/** Browsers print the top layer on every sheet; in print the conversation becomes part of the page. */
export function leaveTopLayerToPrint({ root }: Shell, signal: AbortSignal): void {
  const { host } = root.getRootNode() as ShadowRoot;
  if (!(host as HTMLElement).popover) return;
  addEventListener("beforeprint", () => (host as HTMLElement).hidePopover(), { signal });
  addEventListener("afterprint", () => (host as HTMLElement).showPopover(), { signal });
}

/** Announces an answer that arrives while the panel is closed, because screen readers then ignore the panel. */
export function announceUnread(shell: Shell, words: string, signal: AbortSignal): void {
  const said = document.createElement("div");
  said.className = "unseen";
  said.role = "status";
  shell.root.after(said);
  signal.addEventListener("abort", () => said.remove());
  shell.on("open", () => (said.textContent = ""));
  shell.on("message", ({ role, text }) => {
    if (role !== "visitor" && !shell.isOpen()) said.textContent = `${words}: ${text.slice(0, MAX_SAID)}`;
  });
}
