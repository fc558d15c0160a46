/** The launcher's name where it is not "Chat"; whether it is open, its state says. */
const CHAT: Readonly<Record<string, string>> = {
  pl: "Czat",
  tr: "Sohbet",
  ar: "الدردشة",
  ja: "チャット",
  zh: "聊天",
};

export const launcherName = (language: string): string => CHAT[language] ?? "Chat";
