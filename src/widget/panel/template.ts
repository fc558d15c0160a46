import type { Session } from "../conversation/session.ts";
import type { ParleyEvents, ParleyTemplate, ParleyTemplateContext } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import type { Strings } from "../strings/en.ts";
import { fill } from "../strings/fill.ts";
import type { Drawn } from "./panel.tsx";

/** What a template borrows from the panel. */
export interface TemplateTools {
  /** Draws an answer's Markdown into an element. */
  draw: (text: string, element: HTMLElement) => void;
  choicesOf: ParleyTemplateContext["choicesOf"];
}

function templateContext(
  shell: Shell,
  session: Session,
  strings: Strings,
  tools: TemplateTools,
): ParleyTemplateContext {
  return {
    config: shell.config,
    options: shell.config.template?.options ?? {},
    strings,
    get messages() {
      return session.messages();
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
      tools.draw(text, element);
      return element;
    },
    choicesOf: tools.choicesOf,
  };
}

/**
 * Draws the bot's own template instead of the panel; rejects if that fails. Loaded as a module of its own, because few bots have a
 * template.
 *
 * @public `main.tsx` imports it by the name of its file
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
  try {
    const unmount = mount(root, templateContext(shell, session, strings, tools));
    return {
      focus: () =>
        (root.querySelector<HTMLElement>("input, textarea") ?? root.querySelector("button"))?.focus(),
      destroy() {
        unmount?.();
        shell.root.replaceChildren();
      },
    };
  } catch (error) {
    shell.root.replaceChildren();
    throw error;
  }
}
