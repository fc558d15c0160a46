import { placeOf } from "./languages.ts";

/** The launcher's name where it is not "Chat"; whether it is open, its state says. */
const CHAT: Readonly<Record<string, string>> = {
  pl: "Czat",
  tr: "Sohbet",
  ar: "الدردشة",
  ja: "チャット",
  zh: "聊天",
};

/** Said where the panel, which speaks for itself, has not come; in the order in which the build names the languages. */
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
