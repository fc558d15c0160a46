import { Elysia } from "elysia";

import { decideDomain, type DomainRule, getDomainRules } from "../access/allowed-domain.ts";
import { hashEmbedToken } from "../access/secrets.ts";
import type { BotRegistry } from "../bots/registry.ts";
import type { PublicAddresses } from "../config/addresses.ts";
import { type BotDocument, languageTagIn } from "../domain/bot.ts";
import { ServiceError } from "../domain/errors.ts";
import type { EmbedToken } from "../domain/ids.ts";
import type { EmbedTokenCache } from "../store/embed-token-cache.ts";
import { wordedBot, wordedLanguages } from "../texts/bot-wording.ts";
import { widgetSnippet } from "../widget/snippet.ts";
import { type DemoScene, demoSceneOf } from "./demo-scenes.ts";
import { htmlPage } from "./html-page.ts";
import type { ContextOf } from "./request-context.ts";

interface DemoParts {
  botId: string;
  botName: string;
  embedToken: string;
  /** Address of the service, from `runtimeEndpoint`. */
  publicUrl: string;
  cdnUrl: string;
  suggestedQuestions?: BotDocument["suggestedQuestions"];
  /** Language of the widget; absent: the page's. */
  locale?: string;
  /** Additional languages of the bot. */
  languages?: readonly string[];
  refusal?: DemoRefusal | undefined;
  /** The demo token was made before the bot, and is not valid for it. */
  isTokenOld?: boolean;
}

/** The bot's `allowedDomains` exclude the demo page's own origin. */
interface DemoRefusal {
  /** Origin of the page. */
  origin: string;
  /** Address where the page works, without a trailing slash. */
  openInstead: string | undefined;
}

const LOOPBACK = ["localhost", "127.0.0.1"];

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** Allows only scripts of the two origins; Trusted Types guard all sinks. */
function contentSecurityPolicy({ cdnUrl, publicUrl }: DemoParts): string {
  const [assets, service] = [new URL(cdnUrl).origin, new URL(publicUrl).origin];
  return [
    "default-src 'none'",
    `script-src ${assets}`,
    `style-src ${assets}`,
    `connect-src ${service}`,
    "img-src data: https: http:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** Whether the demo page's origin is rejected, and an address that is not. */
export function findDemoRefusal(
  domains: readonly DomainRule[],
  requestUrl: string,
  publicUrl: string,
): DemoRefusal | undefined {
  const isAllowed = (url: string) =>
    decideDomain(domains, { origin: new URL(url).origin, referer: null }).allowed;
  const asked = new URL(requestUrl);
  // A proxy in front may use HTTPS.
  const { origin } = asked.host === new URL(publicUrl).host ? new URL(publicUrl) : asked;
  if (isAllowed(origin)) return undefined;
  const sameMachine = LOOPBACK.includes(asked.hostname)
    ? LOOPBACK.map((hostname) => origin.replace(asked.hostname, hostname))
    : [];
  return { origin, openInstead: [...sameMachine, publicUrl.replace(/\/+$/, "")].find(isAllowed) };
}

/** What keeps the chat of this page from answering; empty if nothing does. */
function warnings({ botId, refusal, isTokenOld = false }: DemoParts): string {
  return (isTokenOld ? TOKEN_IS_OLD : "") + refusalWarning(botId, refusal);
}

const TOKEN_IS_OLD = `<p class="warning">This bot is newer than the token of the demo pages, so the chat will refuse every message:
stop the server and start it again. It then makes a token for every bot.</p>
`;

function refusalWarning(botId: string, refusal: DemoRefusal | undefined): string {
  if (refusal === undefined) return "";
  const { origin, openInstead } = refusal;
  const link = openInstead && `${openInstead}/demo/${botId}`;
  const alternative = link
    ? `, or open this page as <a href="${escapeHtml(link)}">${escapeHtml(link)}</a>`
    : "";
  return `<p class="warning">This bot may not be used from <code>${escapeHtml(origin)}</code>, so the chat will refuse every message:
add <code>${escapeHtml(new URL(origin).hostname)}</code> to its <code>allowedDomains</code>${alternative}.</p>
`;
}

function itemOf({ title, note, asks }: DemoScene["items"][number], at: number): string {
  const text = escapeHtml(title);
  if (asks) return `<li><button class="question" type="button" data-ask="${text}">${text}</button></li>`;
  return `<li class="good"><div class="good-art a${at + 1}"></div><h3>${text}</h3><p>${escapeHtml(note ?? "")}</p></li>`;
}

function scene(parts: DemoParts): string {
  const { look, brand, links, headline, lead, listTitle, items, promises } = demoSceneOf(parts);
  const list = items.length > 0 ? `<ul class="goods">${items.map(itemOf).join("")}</ul>` : "";
  const promised = promises.map((promise) => `<span>${escapeHtml(promise)}</span>`).join("");
  return `<main class="shop ${look}">
${warnings(parts)}<nav class="bar" aria-label="Site"><a class="brand" href="#">${escapeHtml(brand)}</a>${links.map((link) => `<a href="#list">${escapeHtml(link)}</a>`).join("")}</nav>
<section class="hero"><div class="hero-text"><h1>${escapeHtml(headline)}</h1>
<p>${escapeHtml(lead)}</p>
<button class="button" type="button" data-ask="">Ask us anything</button></div><div class="hero-art"></div></section>
${listTitle && `<h2 id="list">${escapeHtml(listTitle)}</h2>`}${list}
${promised && `<p class="promises">${promised}</p>`}
</main>`;
}

/** Links to the page in each language of the bot file. */
function languageLinks({ languages = [], locale }: DemoParts): string {
  if (languages.length === 0) return "";
  const links = ["", ...languages].map((tag) => {
    const isShown = tag === (locale ?? "");
    const href = tag === "" ? "?" : `?locale=${tag}`;
    return `<a href="${href}"${isShown ? ' aria-current="page"' : ""}>${tag === "" ? "the page’s" : tag}</a>`;
  });
  return `<p>Languages: ${links.join(" · ")}</p>\n`;
}

function inspector(parts: DemoParts, snippet: string): string {
  // Line breaks are allowed before the file's name.
  const shown = escapeHtml(snippet).replace("/widget.js", "/<wbr>widget.js");
  return `<aside class="inspector" aria-label="For developers">
<h2>On your own page</h2><p>One line, anywhere in the HTML. This is ${escapeHtml(parts.botName)}.</p>
${languageLinks(parts)}<div class="snippet"><button id="copy" type="button">Copy</button><pre><code id="snippet">${shown}</code></pre></div>
<h2>What governance decided</h2><p>The metadata that came with each answer, newest first.</p>
<ol id="turns"></ol><p id="no-turns">Ask the chat something: every turn shows up here.</p>
</aside>`;
}

/** The page of `/demo/:botId`: a sample site with the widget, its snippet, and the metadata of each turn. */
export function renderDemoPage(parts: DemoParts): Response {
  const cdn = escapeHtml(parts.cdnUrl.replace(/\/+$/, ""));
  const snippet = widgetSnippet(parts);
  return htmlPage({
    title: `${escapeHtml(parts.botName)} – Parley demo`,
    head: `<link rel="stylesheet" href="${cdn}/demo.css">\n<script type="module" src="${cdn}/demo.js"></script>`,
    body: [scene(parts), inspector(parts, snippet), snippet].join("\n"),
    policy: contentSecurityPolicy(parts),
    referrerPolicy: "strict-origin-when-cross-origin",
  });
}

/** The parts that demo pages use. */
export interface DemoRouteParts {
  bots: Pick<BotRegistry, "headOf" | "readDocument">;
  addresses: () => PublicAddresses;
  demoToken: EmbedToken;
  embedTokens: Pick<EmbedTokenCache, "find">;
}

/** GET /demo/:botId: a demo page using the demo token; `?locale=de` sets the widget's language. */
export function demoRoute({ bots, addresses, demoToken, embedTokens }: DemoRouteParts, contextOf: ContextOf) {
  return new Elysia().get("/demo/:botId", async ({ request, query, params: { botId } }) => {
    contextOf(request).botId = botId;
    const head = bots.headOf(botId);
    const document = head && (await bots.readDocument(head));
    if (!document) throw new ServiceError("NOT_FOUND", "There is no demo page of this bot.");
    const { publicUrl, cdnUrl } = addresses();
    const refusal = findDemoRefusal(getDomainRules(document.allowedDomains), request.url, publicUrl);
    const locale = languageTagIn(query["locale"]);
    const { name: botName, suggestedQuestions } = wordedBot(document, locale);
    const languages = wordedLanguages(document);
    const token = await embedTokens.find(hashEmbedToken(demoToken));
    const isTokenOld = token?.botIds.every((id) => id !== botId) === true;
    const shown = { botId, botName, suggestedQuestions, languages, ...(locale && { locale }) };
    return renderDemoPage({ ...shown, embedToken: demoToken, publicUrl, cdnUrl, refusal, isTokenOld });
  });
}
