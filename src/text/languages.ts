/**
 * Languages whose words are known before any example is read, by their ISO 639-1 codes; stored models name one by its place here. Each has a
 * folder in `languages/`: what its words mean in English, and what people say to bots in it.
 */
export const LANGUAGES = ["en", "de", "es", "fr", "it", "nl", "pt"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The same, made for a language when it is first asked for, and kept. */
export function oncePerLanguage<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new Map<Language, T>();
  return (language) => {
    if (!made.has(language)) made.set(language, make(language));
    return made.get(language)!;
  };
}
