import { createHash } from "node:crypto";

import { htmlPage } from "./html-page.ts";

/** Address framed by the console's theme page. */
export const WIDGET_PREVIEW_PATH = "/preview/widget";

/**
 * Runs before the widget. Requests of the widget are answered by the console instead: the draft's configuration, and answers that are
 * neither stored nor counted. The frame has its own origin, so that scripts of a bot's template cannot reach the console.
 */
const BRIDGE = `"use strict";
{
  const waiting = new Map();
  let latest = 0;
  let give;
  const config = new Promise((resolve) => { give = resolve; });
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || typeof data !== "object" || data === null) return;
    if (data.kind === "config") give(data.config);
    if (data.kind === "answer") { waiting.get(data.id)?.(data); waiting.delete(data.id); }
  });
  const answered = (body, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { "Content-Type": status === 200 ? "application/json" : "application/problem+json" } });
  const say = (input) => new Promise((resolve) => {
    const id = ++latest;
    waiting.set(id, ({ body, status }) => resolve(answered(body, status)));
    parent.postMessage({ kind: "say", id, input }, "*");
  });
  globalThis.fetch = async (address, { body } = {}) => {
    const { pathname } = new URL(typeof address === "string" ? address : address.url ?? address.href);
    if (pathname.endsWith("/embed-config")) return answered(await config);
    if (pathname.endsWith("/chat")) return say(JSON.parse(body).input);
    if (pathname.endsWith("/feedback")) return answered({ conversationId: "cv_preview" });
    if (pathname.endsWith("/handoff")) return answered({ handoffId: "preview", conversationId: "cv_preview", state: "open", isNew: true });
    if (pathname.endsWith("/chat/events")) return new Response("", { headers: { "Content-Type": "text/event-stream" } });
    return answered({ status: 404, code: "NOT_FOUND", detail: "A preview has no such address." }, 404);
  };
  parent.postMessage({ kind: "ready" }, "*");
}`;

const BRIDGE_HASH = `'sha256-${createHash("sha256").update(BRIDGE).digest("base64")}'`;

/** Allows only the bridge and the widget, in an opaque origin. */
function contentSecurityPolicy(assets: string): string {
  return [
    "default-src 'none'",
    `script-src ${BRIDGE_HASH} ${assets}`,
    `style-src ${assets}`,
    "img-src data: https: http:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    "sandbox allow-scripts allow-popups",
  ].join("; ");
}

/** A right-to-left language of the widget. */
const RIGHT_TO_LEFT = "ar";

/** GET /preview/widget: a page with only the widget, configured by the frame's parent. `direction=rtl` shows it as on an Arabic page. */
export function widgetPreview(request: Request, publicUrl: string): Response {
  const isRtl = new URL(request.url).searchParams.get("direction") === "rtl";
  const assets = new URL(publicUrl).origin;
  const loader = `${publicUrl.replace(/\/+$/, "")}/cdn/widget.js`;
  const escaped = loader.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return htmlPage({
    ...(isRtl && { root: `lang="${RIGHT_TO_LEFT}" dir="rtl"` }),
    title: "The widget",
    head: `<script>${BRIDGE}</script>
<script src="${escaped}" data-bot-id="preview" data-token="preview" data-open="true" data-persist="none" async></script>`,
    body: "",
    policy: contentSecurityPolicy(assets),
  });
}
