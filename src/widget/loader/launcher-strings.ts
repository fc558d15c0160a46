/** The launcher's name where it is not "Chat"; whether it is open, its state says. */
const CHAT: Readonly<Record<string, string>> = {
  pl: "Czat",
  tr: "Sohbet",
  ar: "الدردشة",
  ja: "チャット",
  zh: "聊天",
};

/** Said where the panel, which speaks for itself, has not come. */
const CANNOT_LOAD: Readonly<Record<string, string>> = {
  en: "Can’t load. Try again",
  de: "Nicht geladen. Erneut versuchen",
  fr: "Échec du chargement. Réessayer",
  es: "No se pudo cargar. Reintentar",
  it: "Caricamento non riuscito. Riprova",
  pt: "Não carregou. Tentar de novo",
  nl: "Laden mislukt. Opnieuw proberen",
  pl: "Nie wczytano. Ponów",
  tr: "Yüklenemedi. Yeniden dene",
  ar: "تعذّر التحميل. أعد المحاولة",
  ja: "読み込めません。再試行",
  zh: "无法加载。重试",
};

export const launcherName = (language: string): string => CHAT[language] ?? "Chat";

export const cannotLoad = (language: string): string => CANNOT_LOAD[language]!;
