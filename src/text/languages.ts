/**
 * Languages whose words are known before any example is read, by their ISO 639-1 codes. Each has a folder in `languages/` with its
 * function words. Stored models name a language by its place in this list.
 */
export const LANGUAGES = ["en", "de", "es", "fr", "it", "nl", "pt"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Something made from a language: made when it is first asked for, and kept. */
export function oncePerLanguage<T>(make: (language: Language) => T & {}): (language: Language) => T & {} {
  const made = new Map<Language, T & {}>();
  return (language) => {
    const known = made.get(language);
    if (known !== undefined) return known;
    const first = make(language);
    made.set(language, first);
    return first;
  };
}
