import { readFileSync } from "node:fs";

import { type Language, oncePerLanguage } from "./languages.ts";
import german from "./languages/de/requests.txt" with { type: "file" };
import english from "./languages/en/requests.txt" with { type: "file" };
import spanish from "./languages/es/requests.txt" with { type: "file" };
import french from "./languages/fr/requests.txt" with { type: "file" };
import italian from "./languages/it/requests.txt" with { type: "file" };
import dutch from "./languages/nl/requests.txt" with { type: "file" };
import portuguese from "./languages/pt/requests.txt" with { type: "file" };

const FILES: Record<Language, string> = {
  de: german,
  en: english,
  es: spanish,
  fr: french,
  it: italian,
  nl: dutch,
  pt: portuguese,
};

/**
 * What people say to bots and assistants of all kinds: a thousand messages and more in each language, written for Parley. Nearly all are
 * out of scope for any one bot, and so show it what that looks like. Read when first asked for.
 */
export const generalRequestsIn = oncePerLanguage((language): readonly string[] =>
  readFileSync(FILES[language], "utf8").trimEnd().split("\n"),
);
