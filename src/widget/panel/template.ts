import type { Session } from "../conversation/session.ts";
import { isPassedOn } from "../people/events.ts";
import type { ParleyEvents, ParleyTemplate, ParleyTemplateContext } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import type { Strings } from "../strings/en.ts";
import { fill } from "../strings/fill.ts";
import type { Drawn } from "./panel.tsx";
import { formatsOf } from "./times.ts";
import type { PanelView, People } from "./view.ts";

import templateCss from "./template.css" with { type: "text" };

/** Functions of the panel chunk that a template uses. */
export interface TemplateTools {
  /** Renders an answer's Markdown into an element. */
  draw: (text: string, element: HTMLElement) => void;
  followPeople: (view: PanelView) => People;
}

/** Hand-off and ratings for a template. */
interface TemplatePeople extends Pick<ParleyTemplateContext, "messages" | "renderPeople"> {
  readonly destroy: () => void;
}

/** Slots for the people chunk: the rating buttons beside an answer, the rest below it. */
function createTurn(): HTMLElement {
  const turn = document.createElement("div");
  const tools = document.createElement("div");
  const [beside, below] = [document.createElement("span"), document.createElement("div")];
  turn.className = "turn people";
  tools.className = "tools";
  beside.className = below.className = "slot";
  tools.append(beside);
  turn.append(tools, below);
  return turn;
}

/** Slot for the offer of a person where the cap is reached and no message follows. */
function createCapTurn(): HTMLElement {
  const turn = document.createElement("div");
  const [cap, slot] = [document.createElement("span"), document.createElement("div")];
  turn.className = "people";
  cap.className = "cap";
  slot.className = "slot";
  turn.append(cap, slot);
  return turn;
}

/** Loads the people chunk as the panel does and draws into the elements that the template requests. */
function followInTemplate(
  shell: Shell,
  session: Session,
  strings: Strings,
  follow: TemplateTools["followPeople"],
): TemplatePeople {
  const turns = new Map<string, HTMLElement>();
  const view: PanelView = {
    shell,
    session,
    strings,
    formats: formatsOf(shell.options),
    words: (key, values) => fill(strings[key], { bot: shell.config.botName, ...values }),
    draw: () => people.draw(),
    focusInput() {},
    ask: session.send,
    draft: "",
    shown: Infinity,
    growing: false,
    away: true,
    slow: false,
    said: "",
    input: null,
    scroll: null,
    turns,
  };
  const people = follow(view);
  const stopListening = session.subscribe(draw);
  let capTurn: HTMLElement | undefined;

  function draw(): void {
    const known = new Set(session.messages().map(({ id }) => id));
    for (const id of turns.keys()) if (!known.has(id)) turns.delete(id);
    if (capTurn) capTurn.hidden = session.status().kind !== "capped";
    people.draw();
  }

  draw();
  return {
    get messages() {
      return session.messages().filter((message) => !isPassedOn(message));
    },
    renderPeople(message) {
      const turn = message ? (turns.get(message.id) ?? createTurn()) : (capTurn ??= createCapTurn());
      if (message) turns.set(message.id, turn);
      // After the template has inserted the element.
      queueMicrotask(draw);
      return turn;
    },
    destroy() {
      stopListening();
      people.destroy();
    },
  };
}

function templateContext(
  shell: Shell,
  session: Session,
  strings: Strings,
  tools: TemplateTools,
  people: TemplatePeople,
): ParleyTemplateContext {
  return {
    config: shell.config,
    options: shell.config.template?.options ?? {},
    strings,
    get messages() {
      return people.messages;
    },
    get status() {
      return session.status();
    },
    send: session.send,
    retry: (id) => session.retry(typeof id === "string" ? id : undefined),
    remove: session.remove,
    stop: session.stop,
    reset: session.reset,
    close: shell.close,
    inline: shell.options.container !== undefined,
    on(event: keyof ParleyEvents | "change", listener: (payload: never) => void) {
      if (event === "change") return session.subscribe(listener as () => void);
      return shell.on(event, listener as (payload: unknown) => void);
    },
    renderMarkdown(text) {
      const element = document.createElement("div");
      element.className = "prose";
      element.dir = "auto";
      tools.draw(text, element);
      return element;
    },
    choicesOf: ({ metadata }) => metadata?.suggestions?.map(({ label }) => label) ?? [],
    renderPeople: people.renderPeople,
  };
}

/**
 * Draws the bot's own template instead of the panel; rejects if that fails. A separate chunk, because few bots have a template.
 *
 * @public `main.tsx` imports it by its file name
 */
export async function drawTemplate(
  shell: Shell,
  session: Session,
  strings: Strings,
  tools: TemplateTools,
): Promise<Drawn> {
  const { template, cdnUrl } = shell.config;
  const url = new URL(template!.bundleUrl, `${cdnUrl.replace(/\/$/, "")}/`).href;
  const { default: mount } = (await import(url)) as { default: ParleyTemplate };
  const root = document.createElement("div");
  root.className = "template";
  const attribution = document.createElement("p");
  attribution.className = "powered";
  if (shell.config.poweredByRequired) attribution.textContent = fill(strings.poweredBy, { name: "Parley" });
  shell.root.replaceChildren(root, attribution);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(templateCss);
  (shell.root.getRootNode() as ShadowRoot).adoptedStyleSheets.push(sheet);
  const people = followInTemplate(shell, session, strings, tools.followPeople);
  try {
    const unmount = mount(root, templateContext(shell, session, strings, tools, people));
    return {
      focus: () =>
        (root.querySelector<HTMLElement>("input, textarea") ?? root.querySelector("button"))?.focus(),
      destroy() {
        unmount?.();
        people.destroy();
        shell.root.replaceChildren();
      },
    };
  } catch (error) {
    people.destroy();
    shell.root.replaceChildren();
    throw error;
  }
}
