/**
 * Share of a bot's messages that is taken to be in scope. Of what visitors of the realistic bots write, 0.72 is. A bot of many intents
 * covers more of what it is asked; theirs is the share that the classifier's own chances assume. With that share for all, bots of two to
 * fifteen intents accept twice as many messages from elsewhere at the default threshold as the classifier alone.
 */
export const SHARE_IN_SCOPE = { few: 0.7, many: 0.85 };
