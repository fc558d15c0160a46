import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { ChatMetadata, ChatSource, Suggestion } from "../../domain/chat.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type { Decision, Permission, Restriction } from "../../domain/decision.ts";
import { type IntentName, KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import { knowledgeResponderFor } from "../../domain/responder.ts";
import type { SocialKind, TextKey, TextLanguage } from "../../domain/texts.ts";
import { socialIntentOf } from "../../governance/social-policy.ts";
import { answerFromScript } from "../../respond/scripted.ts";
import type { SocialTurn } from "../../social/social-turn.ts";
import { languageOf, languageOfMessage } from "../../text/language-of.ts";
import type { TurnFollower } from "../message.ts";
import { type Answer, fallbackAnswer, freeAnswer, type Reply, validAnswer } from "./answer.ts";
import type { DecidedMessage } from "./decided-message.ts";
import type { ModelCosts } from "./model-costs.ts";
import { nextSteps, offersPerson } from "./offers.ts";
import { answerGivenData, apologise, hasNothing, refusalText, sayNothing } from "./refusal.ts";
import { putInWords, type ShownKnowledge } from "./respond-from-documents.ts";
import { type CompletingModels, respondWithModel } from "./respond-with-model.ts";

/** The parts that responding uses. */
export interface RespondParts {
  models: CompletingModels;
}

/** Circumstances of answering: the follower, the abort signal and the costs. */
export interface Responding {
  follower: TurnFollower | undefined;
  /** Aborts when no caller waits for the answer any more. */
  left: AbortSignal;
  costs: ModelCosts;
  /** Whether the message is stored and counted, which is required for asking models. */
  mayAskModels: boolean;
}

/** Whether a model answers. Only an allowed intent reaches a responder. */
export function isForModel(bot: LoadedBot, decision: Decision): boolean {
  if (decision.kind === "restricted" || decision.rule === "social") return false;
  if (decision.intent === KNOWLEDGE_INTENT) return knowledgeResponderFor(bot.document) !== undefined;
  return bot.responderFor(decision.intent).kind === "model";
}

/**
 * Respond → enforce. A restricted decision reaches no responder: its answer is the refusal.
 *
 * @throws ServiceError MODEL_ERROR | MODEL_TIMEOUT
 */
export async function respond(
  parts: RespondParts,
  decided: DecidedMessage,
  responding: Responding,
): Promise<Reply> {
  const { decision } = decided;
  if (decision.kind === "restricted") return complete(refuse(decided, decision), decided, responding);
  if (decision.rule === "social") return complete(answerSocially(decided, decision), decided, responding);
  if (decision.intent === KNOWLEDGE_INTENT) return respondFromDocuments(parts, decided, responding);
  if (decision.alsoIntents !== undefined || decision.unanswered !== undefined) {
    return complete(answerInParts(decided, decision), decided, responding);
  }
  return respondToIntent(parts, decided, decision.intent, responding);
}

async function respondToIntent(
  { models }: RespondParts,
  decided: DecidedMessage,
  intent: IntentName,
  responding: Responding,
): Promise<Reply> {
  const { turns } = decided.conversation;
  const { bot, input } = decided.message;
  const responder = bot.responderFor(intent);
  if (responder.kind === "model") {
    return respondWithModel(models, { bot, intent, responder, turns, input, ...responding });
  }
  return complete(respondFromScript(bot, intent, turns), decided, responding);
}

/** Sends a complete answer in one piece. */
function complete(said: Answer, decided: DecidedMessage, { follower }: Responding): Reply {
  const answer = inVisitorsLanguage(said, decided);
  follower?.said(answer.response);
  return { state: "complete", answer };
}

function textOfRefusal(
  { message: { bot, input }, judged, conversation: { turns }, knowledge }: DecidedMessage,
  restriction: Restriction,
): string {
  const isPersonOffered = offersPerson(bot.document, restriction, judged, turns);
  if (restriction.rule === "data") return answerGivenData(bot, input, isPersonOffered);
  if (hasNothing(restriction)) {
    const next = nextSteps(bot, restriction, { input, headings: knowledge?.next, isPersonOffered });
    return sayNothing(bot.policy.texts, { next, turns, isPersonOffered });
  }
  const text = refusalText(restriction, bot.policy);
  const isRepeated = restriction.rule === "no-match" && text === turns.at(-1)?.response;
  return isRepeated ? bot.policy.texts.say("nothingMore") : text;
}

function refuse(decided: DecidedMessage, restriction: Restriction): Answer {
  return {
    response: textOfRefusal(decided, restriction),
    metadata: {
      capabilityAllowed: false,
      enforcementReason: restriction.reason,
      schemaEnforced: false,
      schemaFallbackUsed: false,
      ...offered(restriction.suggestions),
    },
  };
}

function offered(suggestions: readonly Suggestion[] = []): Pick<ChatMetadata, "suggestions"> {
  return suggestions.length === 0 ? {} : { suggestions: [...suggestions] };
}

/** Built-in texts are not subject to a schema. */
function answerSocially(decided: DecidedMessage, decision: Permission): Answer {
  const { response, metadata } = freeAnswer(socialText(decided, decision));
  return { response, metadata: { ...metadata, ...offered(decision.suggestions) } };
}

function socialText(
  { message: { bot }, judged, conversation: { turns } }: DecidedMessage,
  decision: Permission,
): string {
  const { texts } = bot.policy;
  if (decision.intent === socialIntentOf("repair")) {
    return apologise(texts, decision, turns, offersPerson(bot.document, decision, judged, turns));
  }
  const labels = (decision.suggestions ?? []).map(({ label }) => `- ${label}`);
  return [texts.say(decision.intent as TextKey), ...labels].join("\n");
}

/** Answers in a model's words if the bot has one for that and its text is supported by the documents; otherwise in their own sentences. */
async function respondFromDocuments(
  { models }: RespondParts,
  decided: DecidedMessage,
  responding: Responding,
): Promise<Reply> {
  const { bot } = decided.message;
  const responder = responding.mayAskModels ? knowledgeResponderFor(bot.document) : undefined;
  const worded = responder && (await putInWords(models, decided, responder, responding));
  return complete(answerFromDocuments(bot, worded ?? decided.knowledge), decided, responding);
}

/** The documents' sentences with their sources. */
function answerFromDocuments(bot: LoadedBot, shown: ShownKnowledge | undefined): Answer {
  const { text = "", sources = [] } = shown ?? {};
  const answer = enforced(bot, KNOWLEDGE_INTENT, text);
  return answer.metadata.schemaFallbackUsed ? answer : withSources(answer, sources);
}

function withSources(answer: Answer, sources: readonly ChatSource[]): Answer {
  return sources.length === 0
    ? answer
    : { ...answer, metadata: { ...answer.metadata, sources: [...sources] } };
}

/** Answers to several questions, or to one with a note about the unanswered part; one paragraph each. */
function answerInParts(
  { message: { bot }, conversation: { turns }, knowledge }: DecidedMessage,
  { intent, alsoIntents = [], unanswered }: Permission,
): Answer {
  const answer = respondFromScript(bot, intent, turns);
  const others = alsoIntents.map((other) =>
    other === KNOWLEDGE_INTENT ? (knowledge?.text ?? "") : respondFromScript(bot, other, turns).response,
  );
  const open = unanswered === undefined ? [] : [bot.policy.texts.say("partly", { rest: unanswered })];
  const sources = alsoIntents.includes(KNOWLEDGE_INTENT) ? (knowledge?.sources ?? []) : [];
  return {
    ...withSources(answer, sources),
    response: [answer.response, ...others, ...open].map((text) => text.trimEnd()).join("\n\n"),
  };
}

function respondFromScript(bot: LoadedBot, intent: IntentName, turns: readonly PastTurn[]): Answer {
  const { text, responseIndex } = answerFromScript(bot.script, intent, turns);
  return { ...enforced(bot, intent, text), ...(responseIndex !== undefined && { responseIndex }) };
}

/** The text if it satisfies the intent's schema, or if there is none. */
function enforced(bot: LoadedBot, intent: IntentName, text: string): Answer {
  const rule = bot.outputRuleFor(intent);
  if (!rule) return freeAnswer(text);
  const checked = rule.enforce(text);
  return checked.valid ? validAnswer(checked.response) : fallbackAnswer(rule, checked.error);
}

/** Said in all languages: "hi", "ciao", "merci". */
const OF_ALL_LANGUAGES: ReadonlySet<SocialKind> = new Set(["greeting", "thanks", "goodbye", "acknowledge"]);

/**
 * Once per conversation, the answer to a message in another language begins with a sentence in that language that names the bot's language.
 * Not if the answer is in the visitor's language, or has a schema. Pure.
 */
function inVisitorsLanguage(
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
