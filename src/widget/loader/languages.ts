/** The languages there are panels for; filled in by the build. */
declare const LANGUAGES: string;

/** Place of a language (a subtag) among them, from 0; below 0 where there is no panel for it. */
export const placeOf = (language: string): number => LANGUAGES.indexOf(language) / 3;

/** The language the widget speaks: the wanted one where it can, else English. */
export const spoken = (language: string): string => (placeOf(language) < 0 ? "en" : language);
