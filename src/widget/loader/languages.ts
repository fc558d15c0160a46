/** The languages of panels; inserted by the build. */
declare const LANGUAGES: string;

/** Index of a language (a subtag), from 0; below 0 without a panel. */
export const placeOf = (language: string): number => LANGUAGES.indexOf(language) / 3;

/** The widget's language: the wanted one if available, else English. */
export const spoken = (language: string): string => (placeOf(language) < 0 ? "en" : language);

/** The launcher's name if it is not "Chat". Whether it is open is announced by its state. */
const CHAT: Readonly<Record<string, string>> = {
  pl: "Czat",
  tr: "Sohbet",
  ar: "الدردشة",
  ja: "チャット",
  zh: "聊天",
};

/** Shown if the panel, which has its own texts, failed to load; in the build's order of languages. */
const CANNOT_LOAD = [
  "Can’t load. Try again",
  "Nicht geladen. Wiederholen",
  "Non chargé. Réessayer",
  "No cargó. Reintentar",
  "Non caricato. Riprova",
  "Não carregou. Repetir",
  "Niet geladen. Opnieuw",
  "Nie wczytano. Ponów",
  "Yüklenemedi. Tekrar dene",
  "لم يُحمَّل. أعد المحاولة",
  "読込失敗。再試行",
  "无法加载。重试",
  "無法載入。重試",
];

export const launcherName = (language: string): string => CHAT[language.slice(0, 2)] ?? "Chat";

export const cannotLoad = (language: string): string => CANNOT_LOAD[placeOf(language)]!;
