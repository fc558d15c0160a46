import type { IntentName } from "../../src/domain/ids.ts";
import type { IntentModel } from "../../src/intent/model/intent-model.ts";
import type { LabelledTexts } from "../../src/intent/training/examples.ts";
import { prepareTexts } from "../../src/intent/training/read-texts.ts";
import { assembleModel, fitLinear } from "../../src/intent/training/train.ts";

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
