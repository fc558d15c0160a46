import { describe, expect, test } from "bun:test";

import { isAgreement, isBareReply, isBrief } from "../../../../src/governance/follow-up/brevity.ts";

const noExamples = { knows: () => false, isExample: () => false };

describe("a new word behind a joint is brief", () => {
  test.each([
    "and size?",
    "y también talla",
    "también talla",
    "además talla",
    "ayrıca beden",
    "Außerdem blau",
    "också blå",
    "επίσης μπλε",
    "też duży",
  ])("%s", (text) => {
    expect(isBrief(text, noExamples)).toBe(true);
  });

  test.each(["talla", "también", "también tallas12", "también devoluciones", "and tell me a joke"])(
    "and nothing longer, or by itself: %s",
    (text) => {
      expect(isBrief(text, noExamples)).toBe(false);
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
