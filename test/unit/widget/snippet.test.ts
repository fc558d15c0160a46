import { expect, test } from "bun:test";

import { pinnableLoader, widgetSnippet } from "../../../src/widget/snippet.ts";

const parts = {
  publicUrl: "https://chat.example",
  cdnUrl: "https://chat.example/cdn",
  botId: "acme-support",
  embedToken: "parley_et_abc",
};

test("is one line with nothing but what is needed", () => {
  expect(widgetSnippet(parts)).toBe(
    '<script src="https://chat.example/cdn/widget.js" data-bot-id="acme-support" data-token="parley_et_abc" async></script>',
  );
});

test("names the service where its assets stand elsewhere", () => {
  expect(widgetSnippet({ ...parts, cdnUrl: "https://cdn.example/parley/" })).toContain(
    'src="https://cdn.example/parley/widget.js" data-bot-id="acme-support" data-token="parley_et_abc" data-endpoint="https://chat.example"',
  );
});

test("can be pinned to one version by its hash", () => {
  const pinned = { path: "widget-0a1b2c3d.js", integrity: "sha384-abc" };
  expect(widgetSnippet({ ...parts, pinned })).toContain(
    'src="https://chat.example/cdn/widget-0a1b2c3d.js" data-bot-id="acme-support" data-token="parley_et_abc" integrity="sha384-abc" crossorigin="anonymous"',
  );
});

test("has the configuration fetched together with the loader, by the very address that the loader asks", () => {
  const lines = widgetSnippet({ ...parts, botId: "acme & co", preload: true }).split("\n");
  expect(lines).toEqual([
    '<link rel="preload" href="https://chat.example/embed-config?botId=acme%20%26%20co&amp;locale=" as="fetch" crossorigin>',
    '<script src="https://chat.example/cdn/widget.js" data-bot-id="acme &amp; co" data-token="parley_et_abc" crossorigin="anonymous" async></script>',
  ]);
});

test("names the page's language in both of its lines", () => {
  const lines = widgetSnippet({ ...parts, locale: "pt-BR", preload: true }).split("\n");
  expect(lines).toEqual([
    '<link rel="preload" href="https://chat.example/embed-config?botId=acme-support&amp;locale=pt-BR" as="fetch" crossorigin>',
    '<script src="https://chat.example/cdn/widget.js" data-bot-id="acme-support" data-token="parley_et_abc" data-locale="pt-BR" crossorigin="anonymous" async></script>',
  ]);
});

test("lets no value leave its attribute", () => {
  expect(widgetSnippet({ ...parts, botId: '"><script>' })).toContain('data-bot-id="&quot;>&lt;script>"');
});

test("no assets without a loader can be pinned", () => {
  expect(() => pinnableLoader([])).toThrow("no loader");
});
