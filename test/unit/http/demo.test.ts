import { expect, test } from "bun:test";

import { renderDemoPage } from "../../../src/http/demo.ts";

const parts = {
  botId: "acme-support",
  botName: "Acme <Support>",
  embedToken: "parley_et_abc",
  publicUrl: "https://chat.example",
  cdnUrl: "https://cdn.example/p/",
};

test("allows scripts and styles of the assets' origin, calls of the service's, and no sink without Trusted Types", () => {
  const policy = renderDemoPage(parts).headers.get("content-security-policy")!;
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    "script-src https://cdn.example",
    "style-src https://cdn.example",
    "connect-src https://chat.example",
    "img-src data: https: http:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
});

test("holds the snippet twice: to run, and to be read", async () => {
  const html = await renderDemoPage(parts).text();
  const snippet =
    '<script src="https://cdn.example/p/widget.js" data-bot-id="acme-support" data-token="parley_et_abc" data-endpoint="https://chat.example" async></script>';
  expect(html).toContain(`\n${snippet}\n</body>`);
  expect(html).toContain(snippet.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"));
});

test("a bot's name is text", async () => {
  const html = await renderDemoPage(parts).text();
  expect(html).toContain("Acme &lt;Support&gt;");
  expect(html).not.toContain("<Support>");
});

test("has neither inline scripts nor inline styles", async () => {
  const html = await renderDemoPage(parts).text();
  expect(html).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
});
