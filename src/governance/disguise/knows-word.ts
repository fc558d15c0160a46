/** Whether a word occurs in the classifier's training examples. */
export type KnowsWord = (word: string) => boolean;
