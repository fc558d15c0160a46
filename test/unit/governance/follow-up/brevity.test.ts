import { describe, expect, test } from "bun:test";

import { goesOn, isAgreement, isBareReply } from "../../../../src/governance/follow-up/brevity.ts";

const noExamples = { knows: () => false, isExample: () => false };

describe("a message goes on with what was said before", () => {
  test.each([
    "and on sundays?",
    "und zwischen den Jahren?",
    "et pour 12 ?",
    "y para niños",
    "what about kids",
    "how long is that",
  ])("surely, where no word of it can be a subject: %s", (text) => {
    expect(goesOn(text, noExamples)).toBe("surely");
  });

  test.each([
    "and xanax?",
    "también talla",
    "ayrıca beden",
    "också blå",
    "επίσης μπλε",
    "też duży",
    "und mit Diesel?",
  ])("maybe, where one may be: %s", (text) => {
    expect(goesOn(text, noExamples)).toBe("maybe");
  });

  test.each(["talla", "también", "what is 2+2", "tell me a joke", "and tell me a joke about a priest"])(
    "not by itself, and not with a subject of its own: %s",
    (text) => {
      expect(goesOn(text, noExamples)).toBeUndefined();
    },
  );
});

test.each(["sí", "SÍ", "si", "hayır", "hayir", "D’accord", "d'accord", "não", "nao", "ещё", "tamam"])(
  "%s is a reply in whichever spelling",
  (text) => {
    expect(isBareReply(text, noExamples)).toBe(true);
  },
);

test.each(["Sí, por favor", "c’est ça, oui", "si claro", "Teşekkürler, evet"])(
  "%s is a yes in whichever spelling",
  (text) => {
    expect(isAgreement(text)).toBe(true);
  },
);
