import type { ParleyMessage, ParleyTemplateContext } from "../public.d.ts";

import kioskCss from "./kiosk.css" with { type: "text" };

const IDLE_SECONDS = 60;

function create<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  properties: Partial<HTMLElementTagNameMap[T]>,
  ...children: readonly Node[]
): HTMLElementTagNameMap[T] {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

function button(text: string, className: string, onclick: () => void): HTMLButtonElement {
  return create("button", { type: "button", textContent: text, className, onclick });
}

function addStyles(root: HTMLElement): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(kioskCss);
  (root.getRootNode() as ShadowRoot).adoptedStyleSheets.push(sheet);
}

function messageElement(message: ParleyMessage, context: ParleyTemplateContext): HTMLElement {
  if (message.role === "visitor") return create("p", { textContent: message.text, dir: "auto" });
  const answer = context.renderMarkdown(message.text);
  const choices = context.choicesOf(message).map((choice) => button(choice, "", () => context.send(choice)));
  if (choices.length > 0) answer.replaceChildren(create("div", { className: "kiosk-questions" }, ...choices));
  return answer;
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

/** For a screen in a hall: large, made for fingers, and forgetful. `options.idleSeconds` (default 60) without a touch start it afresh. */
export default function mount(root: HTMLElement, context: ParleyTemplateContext): () => void {
  const { config, strings } = context;
  const questions = config.suggestedQuestions.map(({ text }) => button(text, "", () => context.send(text)));
  const offered = create("div", { className: "kiosk-questions" }, ...questions);
  const again = button(strings["restart"]!, "kiosk-again", context.reset);
  const log = create("div", {
    className: "kiosk-log",
    role: "log",
    tabIndex: 0,
    ariaLabel: strings["conversation"]!,
  });
  const note = create("div", { className: "kiosk-note", role: "status" });
  const input = create("input", { placeholder: strings["placeholder"]!, ariaLabel: strings["placeholder"]! });
  const send = create("button", { className: "kiosk-send", textContent: strings["send"]! });
  const form = create("form", {}, input, send);
  const greeting = create("h2", { textContent: config.welcomeMessage });
  const top = create("div", { className: "kiosk-top" }, greeting, again);
  const kiosk = create("div", { className: "kiosk" }, top, log, note, offered, form);
  let drawn = 0;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (input.value.trim() !== "" && context.status.kind !== "waiting") context.send(input.value);
    input.value = "";
  });

  function draw(): void {
    const { messages } = context;
    if (messages.length < drawn) log.replaceChildren();
    drawn = Math.min(drawn, log.childElementCount);
    log.append(...messages.slice(drawn).map((message) => messageElement(message, context)));
    drawn = messages.length;
    kiosk.classList.toggle("kiosk-fresh", drawn === 0);
    offered.hidden = drawn > 0;
    again.hidden = drawn === 0;
    note.textContent = noteOf(context);
    log.scrollTop = log.scrollHeight;
  }

  addStyles(root);
  root.append(kiosk);
  const { idleSeconds = IDLE_SECONDS } = context.options as { idleSeconds?: number };
  const stopIdle = watchIdle(root, idleSeconds * 1000, context.reset);
  const stopListening = context.on("change", draw);
  draw();
  return () => {
    stopIdle();
    stopListening();
  };
}
