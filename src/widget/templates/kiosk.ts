import type { ParleyMessage, ParleyTemplateContext } from "../public.d.ts";
import { button, create } from "./elements.ts";
import { cardElement, parseCard } from "./kiosk-card.ts";

import kioskCss from "./kiosk.css" with { type: "text" };

const IDLE_SECONDS = 60;

function addStyles(root: HTMLElement): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(kioskCss);
  (root.getRootNode() as ShadowRoot).adoptedStyleSheets.push(sheet);
}

function messageElement(message: ParleyMessage, context: ParleyTemplateContext): HTMLElement {
  if (message.role === "visitor") return create("p", { textContent: message.text, dir: "auto" });
  const choices = context.choicesOf(message).map((choice) => button(choice, "", () => context.send(choice)));
  if (choices.length > 0) return create("div", { className: "kiosk-questions" }, ...choices);
  const card = parseCard(message.text);
  return card === undefined ? context.renderMarkdown(message.text) : cardElement(card);
}

function noteOf({ status, strings, config }: ParleyTemplateContext): string {
  if (status.kind === "idle" || status.kind === "streaming") return "";
  if (status.kind === "waiting") return strings["typing"]!.replace("{bot}", config.botName);
  return strings["notSent"]!;
}

/** Calls `onIdle` when nobody has touched the kiosk for `idleMs`. */
function watchIdle(root: HTMLElement, idleMs: number, onIdle: () => void): () => void {
  let timer = setTimeout(onIdle, idleMs);
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(onIdle, idleMs);
  };
  for (const type of ["pointerdown", "keydown"]) root.addEventListener(type, restart);
  return () => clearTimeout(timer);
}

function createClose({ strings, close, inline }: ParleyTemplateContext): HTMLButtonElement {
  const closing = button("×", "kiosk-close", close);
  closing.ariaLabel = closing.title = strings["close"]!;
  closing.hidden = inline;
  return closing;
}

function createForm({ strings, send }: ParleyTemplateContext): HTMLFormElement {
  const input = create("input", {
    placeholder: strings["placeholder"]!,
    ariaLabel: strings["placeholder"]!,
    autocomplete: "off",
  });
  const form = create(
    "form",
    {},
    input,
    create("button", { className: "kiosk-send", textContent: strings["send"]! }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(input.value);
    input.value = "";
  });
  return form;
}

/**
 * For a screen in a hall: large, made for fingers, and forgetful. `options.idleResetSeconds` (default 60) without a touch
 * start it afresh.
 */
export default function mount(root: HTMLElement, context: ParleyTemplateContext): () => void {
  const { config, strings } = context;
  const questions = config.suggestedQuestions.map(({ text }) => button(text, "", () => context.send(text)));
  const offered = create("div", { className: "kiosk-questions" }, ...questions);
  const heading = create("h2", { textContent: config.botName });
  const welcome = context.renderMarkdown(config.welcomeMessage);
  welcome.classList.add("kiosk-welcome");
  const again = button(strings["restart"]!, "", context.reset);
  const top = create("div", { className: "kiosk-top" }, heading, again);
  const log = create("div", {
    className: "kiosk-log",
    role: "log",
    tabIndex: 0,
    ariaLabel: strings["conversation"]!,
  });
  const note = create("div", { className: "kiosk-note", role: "status" });
  const kiosk = create("div", { className: "kiosk" }, top, welcome, log, note, offered, createForm(context));

  function draw(): void {
    const { messages } = context;
    const fresh = messages.length === 0;
    if (messages.length < log.childElementCount) log.replaceChildren();
    const added = messages.slice(log.childElementCount).map((message) => messageElement(message, context));
    log.append(...added);
    kiosk.classList.toggle("kiosk-fresh", fresh);
    heading.classList.toggle("unseen", fresh);
    welcome.hidden = offered.hidden = !fresh;
    again.hidden = fresh;
    note.textContent = noteOf(context);
    added.at(-1)?.scrollIntoView({ block: "nearest" });
  }

  addStyles(root);
  root.append(createClose(context), kiosk);
  const { idleResetSeconds = IDLE_SECONDS } = context.options as { idleResetSeconds?: number };
  const stopIdle = watchIdle(root, idleResetSeconds * 1000, context.reset);
  const stopListening = context.on("change", draw);
  draw();
  return () => {
    stopIdle();
    stopListening();
  };
}
