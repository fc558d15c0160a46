import type { Wording } from "../wording.ts";

export const POLISH: Wording = {
  welcomeMessage: "Dzień dobry! Jestem {botName}. W czym mogę pomóc?",
  DENY_LIST: "Przepraszam, w tym nie mogę pomóc.",
  NOT_IN_ALLOW_LIST: "Przepraszam, {botName} tym się nie zajmuje.",
  no_intent_match: "Przepraszam, nie do końca rozumiem. Czy można to ująć inaczej?",
  didYouMean: "Czy chodzi o: {choices}?",
  noneOfThese: "Żadne z tych",
  noneChosen: "Dobrze. Proszę napisać innymi słowami, czego Państwo potrzebują.",
  nothingMore: "Niestety nie mam nic więcej na ten temat.",
  partly: "Na „{rest}” niestety nie mam odpowiedzi.",
  noAnswerYet: "Na to nie mam jeszcze odpowiedzi.",
  mayHelp: "To może pomóc:",
  modelDown: "W tej chwili nie mogę na to odpowiedzieć. Można tu zostawić wiadomość dla pracownika.",
  handoffLive: "Wiadomość została przekazana. Ktoś już tu jest i pomoże.",
  "social.greeting": "Dzień dobry! W czym mogę pomóc?",
  "social.thanks": "Nie ma za co! Czy mogę pomóc w czymś jeszcze?",
  "social.goodbye": "Do widzenia i miłego dnia!",
  "social.identity": "Jestem {botName}, automatyczny asystent. Nie jestem człowiekiem.",
  "social.help": "Mogę pomóc w tych sprawach:",
  "social.abuse": "Przykro mi, że to irytujące. Proszę napisać, czego Państwo potrzebują, a zrobię, co mogę.",
  "social.acknowledge": "Dobrze. Proszę pisać, gdyby było coś jeszcze.",
  "social.person":
    "Oczywiście. Poniżej można poprosić o rozmowę z człowiekiem; prośba trafi do naszego zespołu.",
};
