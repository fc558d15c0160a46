/**
 * Assumed share of a bot's messages that are in scope. For visitors of the realistic bots it is 0.72. A bot of many intents
 * covers more; its share is the one that the classifier's probabilities assume. With that share for all, bots of two to
 * fifteen intents accept twice as many messages from elsewhere at the default threshold as the classifier alone.
 */
export const SHARE_IN_SCOPE = { few: 0.7, many: 0.85 };
