import type { IntentName } from "../../src/domain/ids.ts";
import type { IntentModel } from "../../src/intent/model/intent-model.ts";
import { assembleModel } from "../../src/intent/training/assemble-model.ts";
import type { LabelledTexts } from "../../src/intent/training/examples.ts";
import { fitLinear } from "../../src/intent/training/fit-linear.ts";
import { prepareTexts } from "../../src/intent/training/prepare-texts.ts";

/** A whole model of these texts, as training makes it. Its intents are called "0", "1", …. */
export function fitModel(texts: LabelledTexts): IntentModel {
  const prepared = prepareTexts(texts);
  const names = Array.from({ length: texts.classCount }, (_, k) => String(k) as IntentName);
  return assembleModel(
    names,
    prepared,
    fitLinear(prepared.set, 1, () => undefined),
  );
}
