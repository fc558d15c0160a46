import { posix } from "node:path";

import type { BotDocument, BotProblem, BotRule } from "../../domain/bot.ts";
import { isAddress } from "./source.ts";

/** Paths must stay inside the bot file's folder; addresses must be http or https, without a password. */
export const checkKnowledgeSources: BotRule = ({ knowledge = [] }) => {
  const inList = Array.isArray(knowledge);
  const entries: Entries = inList ? knowledge : knowledge.sources;
  const pointer = inList ? "/knowledge" : "/knowledge/sources";
  return [
    ...entries.flatMap((entry, index) => faultsOf(entry, `${pointer}/${index}`)),
    ...repeatedNames(entries, pointer),
  ];
};

type Entries = Extract<NonNullable<BotDocument["knowledge"]>, readonly unknown[]>;
type Entry = Entries[number];

function faultsOf(entry: Entry, pointer: string): BotProblem[] {
  if (typeof entry === "string")
    return mistakes(pointer, isAddress(entry) ? addressFault(entry) : pathFault(entry));
  if ("sitemap" in entry) return mistakes(`${pointer}/sitemap`, addressFault(entry.sitemap));
  return [
    ...mistakes(`${pointer}/path`, pathFault(entry.path)),
    ...mistakes(`${pointer}/url`, entry.url === undefined ? undefined : addressFault(entry.url)),
  ];
}

function mistakes(pointer: string, message: string | undefined): BotProblem[] {
  return message === undefined ? [] : [{ pointer, message, severity: "error" }];
}

function pathFault(path: string): string | undefined {
  if (isAddress(path)) return "`path` is a file or folder; an address stands in the list by itself";
  if (path.includes("\\")) return "paths are written with `/`, on every system";
  if (/^(?:\/|~|[a-z]:)/i.test(path))
    return `\`${path}\` is not counted from the bot file's folder; write it as \`docs/\` or \`faq.md\``;
  if (posix.normalize(path).split("/").includes(".."))
    return `\`${path}\` leads out of the bot file's folder; put the documents inside it`;
  return undefined;
}

/** Why an address cannot be read, or shown to visitors; undefined if it can. */
export function addressFault(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null) return `\`${address}\` is not an address; write it as \`https://example.com/help/\``;
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return `an address begins with \`https://\` or \`http://\`, not \`${url.protocol}//\``;
  if (url.username !== "" || url.password !== "") return "an address must not carry a name or a password";
  return undefined;
}

function repeatedNames(entries: Entries, pointer: string): BotProblem[] {
  const names = entries.map((entry) =>
    typeof entry === "string" ? entry : "path" in entry ? entry.path : entry.sitemap,
  );
  return names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [
          {
            pointer: `${pointer}/${index}`,
            message: `\`${name}\` is named twice; keep one`,
            severity: "error" as const,
          },
        ],
  );
}
