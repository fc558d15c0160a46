import { expect, test } from "bun:test";

import { getDomainRules } from "../../../src/access/allowed-domain.ts";
import { findDemoRefusal, renderDemoPage } from "../../../src/http/demo.ts";

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
  const escaped = snippet.replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  expect(html.replaceAll("<wbr>", "")).toContain(escaped);
});

test("links to the widget in each language of the bot, and names the one that is shown in the snippet", async () => {
  const html = await renderDemoPage({ ...parts, languages: ["de", "pt-BR"], locale: "de" }).text();
  expect(html).toContain(
    'Languages: <a href="?">the page’s</a> · <a href="?locale=de" aria-current="page">de</a> · <a href="?locale=pt-BR">pt-BR</a>',
  );
  expect(html).toContain('data-locale="de" async></script>\n</body>');
  expect(await renderDemoPage(parts).text()).not.toContain("Languages:");
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

const LOCAL = "http://127.0.0.1:8787";

test.each<[string[], string, string, ReturnType<typeof findDemoRefusal>]>([
  [["localhost"], `${LOCAL}/demo/a`, LOCAL, { origin: LOCAL, openInstead: "http://localhost:8787" }],
  [
    ["127.0.0.1:8787"],
    "http://localhost:8787/demo/a",
    LOCAL,
    { origin: "http://localhost:8787", openInstead: LOCAL },
  ],
  [["acme.example"], `${LOCAL}/demo/a`, LOCAL, { origin: LOCAL, openInstead: undefined }],
  [
    ["localhost"],
    "http://10.0.0.5:8787/demo/a",
    LOCAL,
    { origin: "http://10.0.0.5:8787", openInstead: undefined },
  ],
  [
    ["acme.example"],
    `${LOCAL}/demo/a`,
    "https://acme.example/bot/",
    { origin: LOCAL, openInstead: "https://acme.example/bot" },
  ],
  [
    ["http://acme.example"],
    "http://acme.example/demo/a",
    "https://acme.example",
    { origin: "https://acme.example", openInstead: undefined },
  ],
  [["https://acme.example"], "http://acme.example/demo/a", "https://acme.example", undefined],
  [["127.0.0.1"], `${LOCAL}/demo/a`, LOCAL, undefined],
  [["*"], `${LOCAL}/demo/a`, LOCAL, undefined],
])("with %p allowed, whoever asks for %s of %s is told %p", (allowed, requestUrl, publicUrl, refusal) => {
  expect(findDemoRefusal(getDomainRules(allowed), requestUrl, publicUrl)).toEqual(refusal);
});

test("says why the chat will not answer, what to add, and where the page would do", async () => {
  const refusal = { origin: LOCAL, openInstead: "http://localhost:8787" };
  const html = await renderDemoPage({ ...parts, refusal }).text();
  const text = html
    .slice(html.indexOf('<p class="warning">'))
    .split("</p>")[0]!
    .replace(/<[^>]+>/g, "");
  expect(text.replaceAll("\n", " ")).toBe(
    `This bot may not be used from ${LOCAL}, so the chat will refuse every message: add 127.0.0.1 to its allowedDomains, or open this page as http://localhost:8787/demo/acme-support.`,
  );
  expect(html).toContain('href="http://localhost:8787/demo/acme-support"');
});

test("of a bot that is newer than the demo token says that a restart is needed", async () => {
  const html = await renderDemoPage({ ...parts, isTokenOld: true }).text();
  expect(html).toContain("This bot is newer than the token of the demo pages");
  expect(html).toContain("stop the server and start it again");
  expect(await renderDemoPage(parts).text()).not.toContain('class="warning"');
});

test("says nothing of domains where the page's own is allowed", async () => {
  expect(await renderDemoPage(parts).text()).not.toContain("allowedDomains");
});

test("each sample bot has a page of its own, and any other one with its name and its questions as text", async () => {
  const samples = ["acme-support", "riverside-clinic", "city-kiosk"];
  const headlines = await Promise.all(
    samples.map(
      async (botId) => /<h1>(.*)<\/h1>/.exec(await renderDemoPage({ ...parts, botId }).text())?.[1],
    ),
  );
  expect(new Set(headlines).size).toBe(3);
  const own = renderDemoPage({ ...parts, botId: "mine", suggestedQuestions: [{ text: 'What is "it"?' }] });
  const html = await own.text();
  expect(html).toContain("<h1>Ask Acme &lt;Support&gt;.</h1>");
  expect(html).toContain('data-ask="What is &quot;it&quot;?"');
});
