/** Told how far it is to bring a database of an earlier version up to date, in a line for an operator. */
export type OnUpgrade = (line: string) => void;
