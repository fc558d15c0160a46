/** Whether a word occurs in the examples that a classifier was trained on. */
export type KnowsWord = (word: string) => boolean;
