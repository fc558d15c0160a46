/**
 * Texts, names and descriptions among them, from which on they are many. Below, training goes over them more often, with a wider low-rank
 * model, weighs what words mean, and encodes them; above, they say enough by themselves, and training has to end within seconds. Which
 * calibration a bot gets has a bound of its own; see `TEXTS_OF_MANY`.
 */
const TRAINED_AS_MANY = 2000;

type TrainingSize = "few" | "many";

export function sizeOf(textCount: number): TrainingSize {
  return textCount < TRAINED_AS_MANY ? "few" : "many";
}
