/** A bot's usage in a month. */
export interface MonthlyUsage {
  messages: number;
  modelTokens: number;
}
