import { readLanguageFile } from "./language-files.ts";
import { oncePerLanguage } from "./languages.ts";

/**
 * What people say to bots and assistants of all kinds: over a thousand messages in each language, written for Parley. Nearly all of them
 * are out of scope for any one bot, and show it what out of scope looks like.
 */
export const generalRequestsIn = oncePerLanguage((language) => readLanguageFile(language, "requests"));
