import { readFileSync } from "node:fs";

import { type Language, oncePerLanguage } from "../../src/text/languages.ts";

const fileOf = (language: Language) => `${import.meta.dir}/general-requests/${language}.txt`;

/**
 * What people say to bots and assistants of all kinds: over a thousand messages in each language, written for Parley. Nearly all of them
 * are out of scope for any one bot, and show what out of scope looks like.
 */
export const generalRequestsIn = oncePerLanguage((language) =>
  readFileSync(fileOf(language), "utf8").trimEnd().split("\n"),
);
