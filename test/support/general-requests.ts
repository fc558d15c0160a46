import { readFileSync } from "node:fs";

import { type Language, oncePerLanguage } from "../../src/text/languages.ts";

const fileOf = (language: Language) => `${import.meta.dir}/general-requests/${language}.txt`;

/**
 * Requests to bots and assistants of all kinds: over a thousand in each language, written for Parley. Nearly all of them are out of scope for any
 * single bot, and are examples of out-of-scope messages.
 */
export const generalRequestsIn = oncePerLanguage((language) =>
  readFileSync(fileOf(language), "utf8").trimEnd().split("\n"),
);
