import { h, render } from "preact";

import { choicesOf } from "../conversation/choices.ts";
import type { Session } from "../conversation/session.ts";
import { Markdown } from "../markdown/markdown.tsx";
import type { ParleyEvents, ParleyTemplate, ParleyTemplateContext } from "../public.d.ts";
import type { Shell } from "../shell.ts";
import type { Strings } from "../strings/en.ts";

function templateContext(shell: Shell, session: Session, strings: Strings): ParleyTemplateContext {
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
    retry: session.retry,
    stop: session.stop,
    reset: session.reset,
    close: shell.close,
    on(event: keyof ParleyEvents | "change", listener: (payload: never) => void) {
      if (event === "change") return session.subscribe(listener as () => void);
      return shell.on(event, listener as (payload: unknown) => void);
    },
    renderMarkdown(text) {
      const element = document.createElement("div");
      element.className = "prose";
      render(h(Markdown, { text, labels: strings }), element);
      return element;
    },
    choicesOf,
  };
}

/**
 * Draws the bot's own template instead of the panel. Returns how to take it away, or undefined when it failed to load
 * or threw; the console then says why.
 */
export async function mountTemplate(
  shell: Shell,
  session: Session,
  strings: Strings,
): Promise<(() => void) | undefined> {
  const root = document.createElement("div");
  root.className = "template";
  const { template, cdnUrl } = shell.config;
  try {
    const url = new URL(template!.bundleUrl, `${cdnUrl.replace(/\/$/, "")}/`).href;
    const { default: mount } = (await import(url)) as { default: ParleyTemplate };
    shell.root.append(root);
    const unmount = mount(root, templateContext(shell, session, strings));
    return () => {
      unmount?.();
      root.remove();
    };
  } catch (error) {
    root.remove();
    // oxlint-disable-next-line no-console -- whoever wrote the template has to learn why it is not shown
    console.error(`[parley] template "${template?.id}" failed; showing the default panel:`, error);
    return undefined;
  }
}
