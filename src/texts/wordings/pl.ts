import type { Wording } from "../wording.ts";

export const POLISH: Wording = {
  welcomeMessage: "Dzień dobry! Jestem {botName}. W czym mogę pomóc?",
  DENY_LIST: "Przepraszam, w tym nie mogę pomóc.",
  NOT_IN_ALLOW_LIST: "Przepraszam, {botName} tym się nie zajmuje.",
  no_intent_match: "Przepraszam, nie do końca rozumiem. Czy można to ująć inaczej?",
  didYouMean: "Czy chodzi o: {choices}?",
  noneOfThese: "Żadne z tych",
  noneChosen: "Dobrze. Proszę napisać innymi słowami, czego Państwo potrzebują.",
  partly: "Na „{rest}” niestety nie mam odpowiedzi.",
  noAnswerYet: "Na to nie mam jeszcze odpowiedzi.",
  mayHelp: "To może pomóc:",
  modelDown: "W tej chwili nie mogę na to odpowiedzieć. Można tu zostawić wiadomość dla pracownika.",
  actionUnsure:
    "Nie wiem, czy to się udało. Proszę nie próbować tu ponownie; ktoś z zespołu może to sprawdzić.",
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
  "social.repair": "Przepraszam, to nie było to, o co chodziło.",
  repairInWords: "Czy można to powiedzieć innymi słowami?",
  repairPerson: "Poniżej można też poprosić o rozmowę z człowiekiem.",
  otherLanguage: "Tutaj mogę odpowiadać tylko w tym języku: {language}.",
  dataGiven: "Nie mogę tego tutaj sprawdzić.",
  dataNamed: "Nie mogę tutaj sprawdzić {data}.",
  dataPassOn: "Czy mam to przekazać?",
};
