import type { PanelView } from "./view.ts";

/** Delay, chosen by hand: screen readers do not announce a live region that has its text from the start. */
const AFTER_MS = 300;

/** Announces the greeting and the suggested questions whenever the panel opens before the first message. */
export function createGreeting(view: PanelView): { destroy: () => void } {
  const { shell, session } = view;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = () => {
    if (session.messages().length > 0) return;
    const { root, config } = shell;
    const texts = (selector: string) =>
      [...root.querySelectorAll(selector)].map(({ textContent }) => textContent);
    const greeting = texts(".greeting, .more, .legal").join(" ");
    const questions = texts(".welcome li").join(", ");
    view.said = `${config.botName}: ${greeting}${questions && ` ${view.words("suggestions")}: ${questions}`}`;
    view.draw();
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(say, AFTER_MS);
  };
  const stopListening = shell.on("open", later);
  if (shell.isOpen()) later();
  return {
    destroy() {
      clearTimeout(timer);
      stopListening();
    },
  };
}
