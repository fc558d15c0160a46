import type { PanelView } from "./view.ts";

/** A region that is filled as soon as it is there is not read out. */
const AFTER_MS = 300;

/** Has a screen reader say the greeting and what may be asked, whenever the panel opens before the first message. */
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
