/**
 * Languages with known function words, as ISO 639-1 codes. Each has a folder in `languages/`. Stored models identify a language by its
 * index in this list, so the order must not change.
 */
export const LANGUAGES = ["en", "de", "es", "fr", "it", "nl", "pt"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Computes something for a language on first use and keeps it. */
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
