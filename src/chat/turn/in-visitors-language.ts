import type { SocialKind, TextLanguage } from "../../domain/texts.ts";
import type { SocialTurn } from "../../social/social-turn.ts";
import { languageOf, languageOfMessage } from "../../text/language-of.ts";
import type { Answer } from "./answer.ts";
import type { DecidedMessage } from "./decided-message.ts";

/** Said by people of all languages: "hi", "ciao", "merci". */
const OF_ALL_LANGUAGES: ReadonlySet<SocialKind> = new Set(["greeting", "thanks", "goodbye", "acknowledge"]);

/**
 * An answer to a message in another language than the bot's begins with a sentence in that one, once in a conversation: that the bot answers in its own.
 * Not where the answer is in the visitor's language, or a schema judges it. Pure.
 */
export function inVisitorsLanguage(
  answer: Answer,
  { message: { bot, input }, judged, decision, conversation }: DecidedMessage,
): Answer {
  const { texts } = bot.policy;
  const spoken = languageSpoken(input, judged.social);
  if (spoken === undefined || spoken === texts.language || answer.metadata.schemaEnforced) return answer;
  const examples = bot.document.intents?.find(({ name }) => name === decision.intent)?.examples ?? [];
  if (languageOf(examples) === spoken || languageOfMessage(answer.response) === spoken) return answer;
  const sentence = texts.sayOtherLanguage(spoken);
  if (conversation.turns.some(({ response }) => response.includes(sentence))) return answer;
  return { ...answer, response: `${sentence}\n\n${answer.response}` };
}

function languageSpoken(input: string, social: SocialTurn | undefined): TextLanguage | undefined {
  if (social === undefined) return languageOfMessage(input);
  return OF_ALL_LANGUAGES.has(social.kind) ? undefined : social.language;
}
