/** The languages there are panels for; filled in by the build. */
declare const LANGUAGES: string;

/** The language the widget speaks: the wanted one (a subtag) where it can, else English. */
export const spoken = (language: string): string => (LANGUAGES.includes(language) ? language : "en");

/** Its place among them, from 0. */
export const placeOf = (language: string): number => LANGUAGES.indexOf(language) / 3;
