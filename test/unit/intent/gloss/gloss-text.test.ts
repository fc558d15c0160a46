import { describe, expect, test } from "bun:test";

import { glossText } from "../../../../src/intent/gloss/gloss-text.ts";
import type { Language } from "../../../../src/text/languages.ts";
import { growthOf } from "../../../support/growth.ts";

/** A sentence, and words that its gloss holds, in this order. */
const SENTENCES: Record<Exclude<Language, "en">, readonly (readonly [string, string])[]> = {
  de: [
    ["Wie viel kostet die Zahnreinigung?", "how much does it cost dental cleaning?"],
    ["Ich sage den Termin am Montag ab", "cancel appointment monday"],
    ["Ich habe den Termin abgesagt", "have appointment cancel"],
    ["holt ihr den Wagen ab und bringt ihn wieder", "pick up you car bring"],
    ["Habt ihr samstags auf?", "are you open on saturdays?"],
    ["Kann ich das rückgängig machen", "can i cancel"],
    ["Zahnriemenwechsel", "timing belt change"],
    ["wo habt ihr eure oeffnungszeiten", "opening hours"],
    ["das Display geht nicht mehr", "screen not working"],
    ["Können Sie mir bitte eine Rechnung schicken", "can you please invoice send"],
    ["Meine Reiseversicherung zahlt nicht ab Januar", "travel insurance"],
  ],
  es: [
    ["¿Cuánto cuesta el curso?", "how much does it cost course?"],
    ["no puedo ir a la clase de mañana", "i can not class tomorrow"],
    ["quiero darme de baja", "i want cancel membership"],
    ["podéis echarle un vistazo al coche", "can you take a look car"],
    ["cual es el horario", "what are your opening hours"],
    ["hace dos semanas que espero", "weeks ago two"],
    ["cambiar la correa de distribución", "change timing belt"],
  ],
  fr: [
    ["Combien coûte une vidange ?", "how much does it cost oil change?"],
    ["mon téléphone ne marche plus", "my phone not working"],
    ["qu'est-ce que vous avez comme pains", "what do you have bread"],
    ["Y a-t-il un parking ?", "is there parking?"],
    ["jai perdu ma carte bleue", "i lost card"],
    ["où êtes-vous", "where are you located"],
    ["on peut payer en plusieurs fois", "can i pay in installments"],
  ],
  it: [
    ["Quanto costa il noleggio?", "how much does it cost rent?"],
    ["dov'è il negozio", "where are you located shop"],
    ["è aperto la domenica?", "are you open on sundays?"],
    ["e' possibile cambiare la montatura", "can i change frame"],
    ["vorrei spostare l'appuntamento", "i want reschedule appointment"],
    ["non funziona più", "not working"],
  ],
  nl: [
    ["Hoeveel kost een rijles?", "how much does it cost driving lesson?"],
    ["ik wil mijn abonnement opzeggen", "i want membership cancel membership"],
    ["ik bel u morgen op", "call tomorrow"],
    ["mijn fiets is gestolen", "my bike stolen"],
    ["werkt het licht niet meer?", "not working light?"],
    ["hoe laat gaan jullie dicht", "what time do you close"],
  ],
  pt: [
    ["Quanto custa trocar a tela?", "how much does it cost replace screen?"],
    ["a tela não funciona", "screen not working"],
    ["queria remarcar a consulta", "i want reschedule appointment"],
    ["vcs tem estacionamento", "have parking"],
    ["não consigo entrar na conta", "i can not login"],
    ["o carro está pronto?", "car ready?"],
  ],
};

describe.each(Object.entries(SENTENCES))("in %s", (language, sentences) => {
  test.each(sentences)("%s: %s", (sentence, words) => {
    const glossed = glossText(sentence, language as Language).split(" ");
    const found: string[] = [];
    for (const word of words.split(" ")) {
      const at = glossed.indexOf(word);
      if (at >= 0) found.push(...glossed.splice(0, at + 1).slice(-1));
    }
    expect(found.join(" ")).toBe(words);
  });
});

describe("a gloss", () => {
  test("leaves English as it is", () => {
    expect(glossText("What's that, again?", "en")).toBe("What's that, again?");
  });

  test("keeps names, numbers and the question mark", () => {
    expect(glossText("¿Tenéis el iPhone 15?", "es")).toBe("do you have iphone 15?");
  });

  test("is never empty where a text says something", () => {
    expect(glossText("hallo zusammen", "de")).toBe("hallo zusammen");
    expect(glossText("  ", "de")).toBe("");
  });

  test("hits words that are written without their accents", () => {
    expect(glossText("cuanto cuesta la reparacion", "es")).toBe(
      glossText("¿Cuánto cuesta la reparación", "es"),
    );
    expect(glossText("c est ou exactement", "fr")).toBe(glossText("C'est où exactement", "fr"));
  });

  test("tells short words apart by their accents", () => {
    expect(glossText("è rosso e verde", "it")).toBe("is red and green");
  });

  test.each(["de", "fr", "nl"] as const)(
    "in %s takes time by the length of a hostile text",
    async (language) => {
      for (const piece of ["donaudampfschifffahrtsgesellschaftskapitän", "ich sage "]) {
        expect(await growthOf((length) => glossText(piece.repeat(length), language), 100)).toBeLessThan(10);
      }
    },
  );
});
