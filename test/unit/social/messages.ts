import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { SocialKind } from "../../../src/domain/texts.ts";
import { type Language, oncePerLanguage } from "../../../src/text/languages.ts";

/** What visitors type, misspellings and all, by what it is; written for Parley. */
export const socialMessagesIn = oncePerLanguage(
  (language: Language): Record<SocialKind, readonly string[]> => {
    const text = readFileSync(join(import.meta.dir, "messages", `${language}.txt`), "utf8").trimEnd();
    const sections = text.split("\n\n").map((section) => section.split("\n"));
    const entries = sections.map(([heading = "", ...messages]) => [heading.slice(1, -1), messages]);
    return Object.fromEntries(entries) as Record<SocialKind, string[]>;
  },
);
