import { findHelpTopic, HELP_TOPICS, helpAsHtml, type HelpTopic, titleOf } from "../help/help.ts";
import { htmlPage } from "./html-page.ts";

/** The page of contents is at this address, and each page below it by its name. */
const HELP_PATH = "/help";

/** Pages have no scripts, and no style but the console's. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * GET /help/TOPIC: a page of the documentation, as `parley help TOPIC` prints it.
 *
 * @param stylesheet address of the console's styles; undefined if a build has none
 * @returns undefined if there is no such page
 */
export function helpPage(pathname: string, stylesheet: string | undefined): Response | undefined {
  const shown = topicAt(pathname);
  if (shown === undefined) return undefined;
  const links = HELP_TOPICS.map(
    (topic) =>
      `<li><a href="${HELP_PATH}/${topic.name}"${topic === shown ? ' aria-current="page"' : ""}>${titleOf(topic)}</a></li>`,
  );
  return htmlPage({
    title: `${titleOf(shown)} · Parley help`,
    ...(stylesheet !== undefined && { head: `<link rel="stylesheet" href="${stylesheet}">` }),
    bodyAttributes: ' class="help"',
    body: `<nav aria-label="Help topics"><p><a href="/">← Console</a></p><h2>Help</h2><ul>${links.join("")}</ul></nav>\n<main>${helpAsHtml(shown)}</main>`,
    policy: POLICY,
  });
}

function topicAt(pathname: string): HelpTopic | undefined {
  if (pathname === HELP_PATH) return HELP_TOPICS[0];
  return pathname.startsWith(`${HELP_PATH}/`)
    ? findHelpTopic(pathname.slice(HELP_PATH.length + 1))
    : undefined;
}
