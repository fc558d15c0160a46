import { readFileSync } from "node:fs";

import api from "../../docs/api.md" with { type: "file" };
import botFiles from "../../docs/bot-files.md" with { type: "file" };
import client from "../../docs/client.md" with { type: "file" };
import judging from "../../docs/how-messages-are-judged.md" with { type: "file" };
import modelServers from "../../docs/model-servers.md" with { type: "file" };
import operating from "../../docs/operating.md" with { type: "file" };
import backups from "../../docs/operating/backups.md" with { type: "file" };
import consolePage from "../../docs/operating/console.md" with { type: "file" };
import handoffs from "../../docs/operating/handoffs.md" with { type: "file" };
import install from "../../docs/operating/install.md" with { type: "file" };
import metrics from "../../docs/operating/metrics.md" with { type: "file" };
import postgresql from "../../docs/operating/postgresql.md" with { type: "file" };
import privacy from "../../docs/operating/privacy.md" with { type: "file" };
import settings from "../../docs/operating/settings.md" with { type: "file" };
import troubleshooting from "../../docs/operating/troubleshooting.md" with { type: "file" };
import scaling from "../../docs/scaling.md" with { type: "file" };
import widget from "../../docs/widget.md" with { type: "file" };

/** A page of the documentation that the executable holds. */
export interface HelpTopic {
  /** As in `parley help NAME` and `GET /help/NAME`; no command has this name. */
  name: string;
  /** One line about the page in the list of topics. */
  about: string;
  /** Where the page is in the sources, from `docs/`. */
  source: string;
  /** Where its text is at run time: a path of the executable, or of the sources. */
  file: string;
}

/** In the order of the list. The first is the page of contents. */
export const HELP_TOPICS: readonly HelpTopic[] = [
  topic("operating", operating, "what a service needs that is left alone; contents"),
  operatingTopic("install", install, "install Parley, run it as a service, behind a proxy, in a container"),
  operatingTopic("backups", backups, "back up, restore, upgrade, move to another machine"),
  operatingTopic("postgresql", postgresql, "PostgreSQL in place of the file; Redis for shared limits"),
  operatingTopic("handoffs", handoffs, "tell your team by webhook and e-mail; answer visitors"),
  operatingTopic("privacy", privacy, "what is stored, for how long; find, export and erase it"),
  operatingTopic("metrics", metrics, "metrics, alert rules, logs, health checks"),
  operatingTopic("troubleshooting", troubleshooting, "find what is wrong, and fix it"),
  operatingTopic("console", consolePage, "operators, roles, keys, tokens, the audit"),
  operatingTopic("settings", settings, "every setting, every command, exit codes"),
  topic("bot-files", botFiles, "every field of a bot file; documents; tests"),
  topic("model-servers", modelServers, "answers by a language model, within the same rules"),
  topic("api", api, "routes, errors, retries, streaming; the operator API"),
  topic("widget", widget, "the script line, its attributes, its API"),
  topic("client", client, "the typed client for programs and pages"),
  topic("scaling", scaling, "several machines: sizes, and what to watch"),
  topic("how-messages-are-judged", judging, "from a message to a decision"),
];

function topic(name: string, file: string, about: string, folder = ""): HelpTopic {
  return { name, about, source: `${folder}${name}.md`, file };
}

function operatingTopic(name: string, file: string, about: string): HelpTopic {
  return topic(name, file, about, "operating/");
}

/** The heading of its page, as `Backups, upgrades and moving`. */
export function titleOf({ file }: HelpTopic): string {
  return /^# (.*)/.exec(readFileSync(file, "utf8"))![1]!;
}

export function findHelpTopic(name: string): HelpTopic | undefined {
  return HELP_TOPICS.find((known) => known.name === name);
}

/** The page for a terminal: headings underlined and by `bold`, code indented and as it is typed, links to other topics as commands. */
export function helpAsText(shown: HelpTopic, bold: (text: string) => string): string {
  const text = withLinks(shown, (words, target) =>
    target?.topic === undefined || target.topic === shown
      ? words
      : `${words} (\`parley help ${target.topic.name}\`)`,
  );
  let isCode = false;
  const lines = text.split("\n").flatMap((line) => {
    if (line.startsWith("```")) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [line === "" ? "" : `    ${line}`];
    const [, marks = "", heading = ""] = /^(#+) (.*)/.exec(line) ?? [];
    if (heading !== "") return [bold(heading), (marks === "#" ? "=" : "-").repeat(heading.length)];
    return [line.replaceAll(/\*\*([^*]+)\*\*/g, (_, words: string) => bold(words))];
  });
  return lines.join("\n").trim();
}

/** The page as HTML, without what stands around it; its headings have the ids by which links name them. */
export function helpAsHtml(shown: HelpTopic): string {
  const text = withLinks(shown, (words, target) => {
    if (target === undefined) return words;
    return `[${words}](${target.topic === undefined ? target.address : `/help/${target.topic.name}`}${target.anchor})`;
  });
  return Bun.markdown.html(text, { headings: { ids: true }, tagFilter: true });
}

interface Target {
  /** Where the link leads to a topic. */
  topic?: HelpTopic;
  /** Where it leads to another site. */
  address?: string;
  /** With its `#`, or empty. */
  anchor: string;
}

/** Code of either kind, which has no links, or a link. */
const CODE_OR_LINK = /^```.*?^```|`[^`\n]+`|!?\[([^\]]+)\]\(([^)\s]+)\)/gms;

/** The text of a page with each link as `write` has it. A link to what the executable does not hold has no target. */
function withLinks(shown: HelpTopic, write: (words: string, target: Target | undefined) => string): string {
  const text = readFileSync(shown.file, "utf8");
  return text.replaceAll(CODE_OR_LINK, (whole: string, words?: string, target?: string) =>
    words === undefined || target === undefined ? whole : write(words, targetOf(shown, target)),
  );
}

function targetOf(shown: HelpTopic, link: string): Target | undefined {
  if (/^[a-z]+:/.test(link)) return { address: link, anchor: "" };
  const { pathname, hash } = new URL(link, `file:///docs/${shown.source}`);
  const found = HELP_TOPICS.find(({ source }) => pathname === `/docs/${source}`);
  return found && { topic: found, anchor: hash };
}
