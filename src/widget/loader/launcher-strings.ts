/** Names of the launcher: closed, open, and with unread answers (`#` is their number). */
type LauncherStrings = readonly [open: string, close: string, unread: string];

export const LAUNCHER_STRINGS: Readonly<Record<string, LauncherStrings>> = {
  en: ["Open chat", "Close chat", "Open chat, unread answers: #"],
  de: ["Chat öffnen", "Chat schließen", "Chat öffnen, ungelesene Antworten: #"],
  fr: ["Ouvrir le chat", "Fermer le chat", "Ouvrir le chat, réponses non lues : #"],
  es: ["Abrir el chat", "Cerrar el chat", "Abrir el chat, respuestas sin leer: #"],
  it: ["Apri la chat", "Chiudi la chat", "Apri la chat, risposte non lette: #"],
  pt: ["Abrir o chat", "Fechar o chat", "Abrir o chat, respostas não lidas: #"],
  nl: ["Chat openen", "Chat sluiten", "Chat openen, ongelezen antwoorden: #"],
  pl: ["Otwórz czat", "Zamknij czat", "Otwórz czat, nieprzeczytane odpowiedzi: #"],
  tr: ["Sohbeti aç", "Sohbeti kapat", "Sohbeti aç, okunmamış yanıtlar: #"],
  ar: ["فتح الدردشة", "إغلاق الدردشة", "فتح الدردشة، ردود غير مقروءة: #"],
  ja: ["チャットを開く", "チャットを閉じる", "チャットを開く、未読の回答: #"],
  zh: ["打开聊天", "关闭聊天", "打开聊天，未读回复：#"],
};
