/** Receives the progress of a database upgrade, in a line for an operator. */
export type OnUpgrade = (line: string) => void;
