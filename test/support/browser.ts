import type { BrowserContextOptions, Locator, Page } from "playwright-core";

import { lendPage, newPage } from "./profiles.ts";

export interface Embedding {
  /** Origin of the service that serves the widget. */
  serviceUrl: string;
  botId?: string;
  embedToken?: string;
  /** More attributes of the script tag. */
  attributes?: string;
  /** Attributes of `<html>`. */
  root?: string;
  head?: string;
  body?: string;
  headers?: Record<string, string>;
  context?: BrowserContextOptions;
  /** Uses a new profile, as measurements need it. */
  isNew?: boolean;
  /** Delay of the host page's server. */
  answerAfterMs?: number;
  /** Runs on the empty page, before the host page is loaded. */
  prepare?: (page: Page) => Promise<void>;
}

/** Removes what browsers offer to secure contexts only, as on a page served over http; a local page counts as secure. */
export const withoutSecureContext = (page: Page) =>
  page.addInitScript(() => void Reflect.deleteProperty(Crypto.prototype, "randomUUID"));

/** A site owner's page with the widget, on another origin than the service. */
export interface EmbeddedPage extends AsyncDisposable {
  readonly page: Page;
  /** Address of the host page. */
  readonly url: string;
  readonly launcher: Locator;
  readonly panel: Locator;
  readonly input: Locator;
  readonly log: Locator;
  /** Errors of the page and of its console, and violations of its policies. */
  readonly troubles: string[];
  open(): Promise<void>;
  say(text: string): Promise<void>;
  reload(): Promise<void>;
}

function htmlOf({
  serviceUrl,
  botId = "acme",
  embedToken = "parley_et_mock",
  attributes = "",
  root = 'lang="en"',
  head = "",
  body = "",
}: Embedding): string {
  return `<!doctype html><html ${root}><head><meta charset="utf-8"><title>A shop</title>
<meta name="viewport" content="width=device-width, initial-scale=1">${head}</head>
<body><main><h1>A shop</h1>${body}</main>
<script src="${serviceUrl}/cdn/widget.js" data-bot-id="${botId}" data-token="${embedToken}" ${attributes} async></script>
</body></html>`;
}

/** Opens a page with the widget in a profile in which nothing is stored. */
export async function embed(embedding: Embedding): Promise<EmbeddedPage> {
  const { context: options = {}, isNew = false } = embedding;
  const { page, giveBack } = await (isNew ? newPage(options) : lendPage(options));
  const troubles: string[] = [];
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  const host = serveHostPage(embedding);
  const url = `http://localhost:${host.port}/`;
  await embedding.prepare?.(page);
  await page.goto(url);
  const launcher = page.locator("parley-chat .launcher");
  const panel = page.locator("parley-chat .panel");
  const input = page.locator("parley-chat textarea");
  return {
    page,
    url,
    launcher,
    panel,
    input,
    log: page.locator("parley-chat [role=log]"),
    troubles,
    async open() {
      // After a reload, a panel that was open is open again.
      if (!(await panel.isVisible())) await launcher.click();
      await input.waitFor();
    },
    async say(text) {
      await input.fill(text);
      await input.press("Enter");
    },
    async reload() {
      await page.reload();
    },
    async [Symbol.asyncDispose]() {
      await (isNew ? page.context().close() : giveBack());
      await host.stop(true);
    },
  };
}

/** `localhost` is another origin than the service's `127.0.0.1`, but also local, so that the browser allows requests to it. */
function serveHostPage(embedding: Embedding): Bun.Server<undefined> {
  const headers = { "Content-Type": "text/html; charset=utf-8", ...embedding.headers };
  return Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch({ url }) {
      if (new URL(url).pathname === "/favicon.ico") return new Response(null, { status: 204 });
      await Bun.sleep(embedding.answerAfterMs ?? 0);
      return new Response(htmlOf(embedding), { headers });
    },
  });
}
