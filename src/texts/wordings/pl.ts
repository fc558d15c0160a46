import type { Texts } from "../texts.ts";

const texts: Texts = {
  "refusals.DENY_LIST": "Przykro mi, w tej sprawie nie mogę pomóc.",
  "refusals.NOT_IN_ALLOW_LIST": "Przykro mi, {botName} nie zajmuje się tą sprawą.",
  "refusals.no_intent_match": "Przepraszam, to nie jest dla mnie jasne. Czy można to powiedzieć inaczej?",
  "didYouMean.one": "Czy chodziło o: {choice}?",
  "didYouMean.several": "Czy chodziło o: {choices}?",
  "didYouMean.list": "O który z tych tematów chodzi?",
  noneOfThese: "Żadne z powyższych",
  noneChosen: "Dobrze. Proszę powiedzieć innymi słowami, czego Państwo potrzebują.",
  "social.greeting": "Dzień dobry! W czym mogę pomóc?",
  "social.thanks": "Nie ma za co! Czy mogę jeszcze w czymś pomóc?",
  "social.goodbye": "Do widzenia i dziękujemy za wizytę!",
  "social.identity":
    "Nazywam się {botName} i jestem automatycznym asystentem, a nie człowiekiem. W czym mogę pomóc?",
  "social.help": "Mogę pomóc w tych sprawach: {choices}. Proszę pytać własnymi słowami.",
  "social.helpWithoutChoices": "Proszę pytać własnymi słowami, a postaram się pomóc.",
  "social.abuse":
    "Przykro mi, że dotąd nie udało mi się pomóc. Proszę krótko napisać, czego Państwo potrzebują, a spróbuję jeszcze raz.",
  "social.acknowledge": "Dobrze. Czy mogę jeszcze w czymś pomóc?",
  partly: "Na temat „{rest}” niestety nic nie wiem.",
  handoffLive: "Tę rozmowę przejęła osoba z naszego zespołu i odpowie tutaj.",
  mayHelp: "To może pomóc:",
  notKnown: "Przykro mi, nie znam odpowiedzi na to pytanie.",
};

export default texts;
