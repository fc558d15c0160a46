/** The languages of panels; inserted by the build. */
declare const LANGUAGES: string;

/** Index of a language (a subtag), from 0; below 0 without a panel. */
export const placeOf = (language: string): number => LANGUAGES.indexOf(language) / 3;

/** The widget's language: the wanted one if available, else English. */
export const spoken = (language: string): string => (placeOf(language) < 0 ? "en" : language);
