import type { Shell } from "../shell.ts";

/** Characters; more of an answer is read where it stands. */
const MOST_SAID = 200;

/** Keeps typing from the page's own shortcuts, and closes at Escape. */
export function listenToKeys({ root, close }: Shell, signal: AbortSignal): void {
  const shadow = root.getRootNode();
  for (const type of ["keydown", "keyup", "keypress"]) {
    shadow.addEventListener(
      type,
      (event) => {
        const { key, isComposing } = event as KeyboardEvent;
        // To the page, the target of these events is the host element. It would take typing for its own shortcuts.
        event.stopPropagation();
        if (type === "keydown" && key === "Escape" && !isComposing) close();
      },
      { signal },
    );
  }
}

/** On paper the conversation is part of the page; the top layer would be printed on each sheet. */
export function leaveTopLayerToPrint({ root }: Shell, signal: AbortSignal): void {
  const { host } = root.getRootNode() as ShadowRoot;
  if (!(host as HTMLElement).popover) return;
  addEventListener("beforeprint", () => (host as HTMLElement).hidePopover(), { signal });
  addEventListener("afterprint", () => (host as HTMLElement).showPopover(), { signal });
}

/** Tells a screen reader of an answer that comes while the panel is closed. What is in the panel is not read out then. */
export function announceUnread(shell: Shell, words: string, signal: AbortSignal): void {
  const said = document.createElement("div");
  said.className = "unseen";
  said.role = "status";
  shell.root.after(said);
  signal.addEventListener("abort", () => said.remove());
  shell.on("open", () => (said.textContent = ""));
  shell.on("message", ({ role, text }) => {
    if (role !== "visitor" && !shell.isOpen()) said.textContent = `${words}: ${text.slice(0, MOST_SAID)}`;
  });
}
