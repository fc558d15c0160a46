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

/** A message, with its rating, hand-off or operator's text below it. */
function turnElement(message: ParleyMessage, context: ParleyTemplateContext): HTMLElement {
  const people = context.renderPeople(message);
  const children = message.role === "operator" ? [people] : [messageElement(message, context), people];
  return create("div", { className: "kiosk-turn" }, ...children);
}

function messageElement(message: ParleyMessage, context: ParleyTemplateContext): HTMLElement {
  if (message.role === "visitor") return create("p", { textContent: message.text, dir: "auto" });
  const labels = context.choicesOf(message);
  if (labels.length > 0) return choicesElement(message, labels, context);
  const card = parseCard(message.text);
  return card === undefined ? context.renderMarkdown(message.text) : cardElement(card);
}

/** Buttons below an answer; a clarifying question also gets "None of these". */
function choicesElement(
  { metadata }: ParleyMessage,
  labels: readonly string[],
  { send, strings }: ParleyTemplateContext,
): HTMLElement {
  const asks = metadata?.enforcementReason === "no_intent_match";
  const offer = (label: string, className: string) => button(label, className, () => send(label));
  const offered = labels.map((label) => offer(label, ""));
  if (asks) offered.push(offer(strings["noneOfThese"]!, "kiosk-none"));
  return create("div", { className: "kiosk-questions" }, ...offered);
}

const COUNTDOWN_STEP_MS = 1000;

/** Time until an instant, in the widget's language: `17 sec`. */
function timeUntil(until: number, language: string): string {
  const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
  const unit = { style: "unit", unit: "second", unitDisplay: "short" } as const;
  return new Intl.NumberFormat(language, unit).format(seconds);
}

/** The reason why the last message has no answer yet. */
function noteOf({ status, strings, config, messages }: ParleyTemplateContext, language: string): string {
  switch (status.kind) {
    case "waiting":
      return strings["typing"]!.replace("{bot}", config.botName);
    case "limited":
      return strings["limited"]!.replace("{time}", timeUntil(status.until, language));
    case "capped": {
      const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "long" }).format(status.until);
      return strings["capped"]!.replace("{date}", date);
    }
    case "queued":
      return strings["queued"]!;
    case "unreachable":
      // The last message is the bot's: a part of the answer has arrived.
      return strings[messages.at(-1)?.role === "bot" ? "stopped" : "notSent"]!;
    case "failed":
      return strings["failed"]!;
    case "idle":
    case "streaming":
    default:
      return "";
  }
}

/** Whether the last message can be sent again; a rejected one cannot. */
function mayRetry({ status, messages }: ParleyTemplateContext): boolean {
  if (status.kind === "unreachable") return true;
  return status.kind === "failed" && messages.at(-1)?.rejected === undefined;
}

/** The status line below the conversation, with its retry button. */
function createNote(context: ParleyTemplateContext) {
  const text = create("span", {});
  const retry = button(context.strings["tryAgain"]!, "", () => context.retry());
  const note = create("div", { className: "kiosk-note", role: "status" }, text, retry);
  let timer: ReturnType<typeof setInterval> | undefined;
  const say = () => {
    const language = note.closest<HTMLElement>("[lang]")?.lang ?? "en";
    text.textContent = noteOf(context, language);
  };
  const tick = () => {
    // A countdown is announced once, when it starts.
    note.ariaLive = "off";
    say();
  };
  const stop = () => clearInterval(timer);
  return {
    note,
    stop,
    draw: () => {
      stop();
      note.ariaLive = "polite";
      say();
      retry.hidden = !mayRetry(context);
      if (context.status.kind === "limited") timer = setInterval(tick, COUNTDOWN_STEP_MS);
    },
  };
}

interface IdleWatch {
  /** Restarts the timer: somebody uses the kiosk. */
  readonly restart: () => void;
  readonly stop: () => void;
}

/** Calls `onIdle` after `idleMs` without a touch. */
function watchIdle(root: HTMLElement, idleMs: number, onIdle: () => void): IdleWatch {
  let timer = setTimeout(onIdle, idleMs);
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(onIdle, idleMs);
  };
  for (const type of ["pointerdown", "keydown"]) root.addEventListener(type, restart);
  return { restart, stop: () => clearTimeout(timer) };
}

/** Otherwise the browser would suggest one visitor's entries to the next. */
function forbidAutofill({ target }: Event): void {
  if (target instanceof HTMLInputElement) target.autocomplete = "off";
}

/** Brings the messages into the log in order, each drawn once. @returns the new elements. */
function drawMessages(
  log: HTMLElement,
  context: ParleyTemplateContext,
  drawn: Map<string, HTMLElement>,
): HTMLElement[] {
  const { messages } = context;
  const known = new Set(messages.map(({ id }) => id));
  for (const [id, element] of drawn) {
    if (known.has(id)) continue;
    element.remove();
    drawn.delete(id);
  }
  const added: HTMLElement[] = [];
  for (const [at, message] of messages.entries()) {
    let element = drawn.get(message.id);
    if (!element) {
      drawn.set(message.id, (element = turnElement(message, context)));
      added.push(element);
    }
    // Moving an element would take the focus out of a form in it.
    if (log.children[at] !== element) log.insertBefore(element, log.children[at] ?? null);
  }
  return added;
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
 * Template for a screen in a hall: large, for touch, without memory. After `options.idleResetSeconds` (default 60) without a touch
 * the conversation is deleted.
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
  const { note, draw: drawNote, stop: stopNote } = createNote(context);
  const capped = context.renderPeople();
  const form = createForm(context);
  const kiosk = create("div", { className: "kiosk" }, top, welcome, log, note, capped, offered, form);
  const drawn = new Map<string, HTMLElement>();

  function draw(): void {
    const fresh = context.messages.length === 0;
    const added = drawMessages(log, context, drawn);
    kiosk.classList.toggle("kiosk-fresh", fresh);
    // Beside the page the panel is as high as its greeting, as the default panel is.
    kiosk.classList.toggle("fresh", fresh);
    heading.classList.toggle("unseen", fresh);
    welcome.hidden = offered.hidden = !fresh;
    again.hidden = fresh;
    drawNote();
    // Operators' messages are drawn in a microtask; scroll after that.
    if (added.length > 0) requestAnimationFrame(() => added.at(-1)!.scrollIntoView({ block: "nearest" }));
  }

  addStyles(root);
  root.append(createClose(context), kiosk);
  const { idleResetSeconds = IDLE_SECONDS } = context.options as { idleResetSeconds?: number };
  const idle = watchIdle(root, idleResetSeconds * 1000, context.reset);
  root.addEventListener("focusin", forbidAutofill);
  const stopListening = context.on("change", draw);
  // A visitor who waits for a person does not touch the screen.
  const stopHearing = context.on("message", ({ role }) => role === "operator" && idle.restart());
  draw();
  return () => {
    idle.stop();
    stopNote();
    stopListening();
    stopHearing();
  };
}
