import type { BotDocument, ModelResponder, ResponderSettings } from "./bot.ts";

/** The source of an intent's answers: its responses or a model. */
export type Responder = { kind: "scripted" } | ModelResponder;

/** The responder of an intent: its own before the bot's, responses before `else`. Pure. */
export function responderFor(bot: BotDocument, intentName: string): Responder {
  const intent = bot.intents?.find(({ name }) => name === intentName);
  if (intent?.action) return { kind: "scripted" };
  const settings = intent?.responder ?? bot.responder ?? { kind: "scripted" };
  if (settings.kind === "model") return settings;
  if (intent?.responses || settings.else === undefined) return { kind: "scripted" };
  return settings.else === "model" ? modelOf(bot.responder) : settings.else;
}

/** The model that words answers from documents; undefined if their own sentences are the answer. Pure. */
export function knowledgeResponderFor({ knowledge, responder }: BotDocument): ModelResponder | undefined {
  const answer = knowledge === undefined || Array.isArray(knowledge) ? undefined : knowledge.answer;
  if (answer === "extract") return undefined;
  if (responder?.kind === "model") return responder;
  return answer === "model" ? modelOf(responder) : undefined;
}

/** `else: model` in an intent means the bot's own model responder. */
function modelOf(settings: ResponderSettings | undefined): ModelResponder {
  if (settings?.kind === "model") return settings;
  return typeof settings?.else === "object" ? settings.else : { kind: "model" };
}

/** Whether a model server may be asked anything for a bot: an answer, embeddings or a judgement. Pure. */
export function asksModels(bot: BotDocument): boolean {
  return modelRespondersOf(bot).length > 0 || namedServersOf(bot).length > 0;
}

/** A model server that a bot names, and where. */
interface NamedServer {
  /** JSON Pointer (RFC 6901). */
  pointer: string;
  name: string;
}

/** Each place where a bot names a model server, for answers, embeddings and judging. Pure. */
export function namedServersOf({ responder, classifier, intents = [] }: BotDocument): NamedServer[] {
  const { embeddings, judge } = classifier ?? {};
  return [
    ...namedBy(responder, "/responder"),
    ...(embeddings ? [{ pointer: "/classifier/embeddings/model", name: embeddings.model }] : []),
    ...(judge ? [{ pointer: "/classifier/judge/model", name: judge.model }] : []),
    ...intents.flatMap((intent, at) => namedBy(intent.responder, `/intents/${at}/responder`)),
  ];
}

function namedBy(settings: ResponderSettings | undefined, pointer: string): NamedServer[] {
  if (settings?.kind === "model") {
    return (settings.models ?? []).map((name, at) => ({ pointer: `${pointer}/models/${at}`, name }));
  }
  return typeof settings?.else === "object" ? namedBy(settings.else, `${pointer}/else`) : [];
}

/** The model servers that a bot names. Pure. */
export function modelServersOf(bot: BotDocument): ReadonlySet<string> {
  return new Set(namedServersOf(bot).map(({ name }) => name));
}

function modelRespondersOf(bot: BotDocument): (ModelResponder | "model")[] {
  const { responder, intents = [] } = bot;
  const answering = [responder, ...intents.map((intent) => intent.responder)].flatMap(
    (settings) => (settings?.kind === "model" ? settings : settings?.else) ?? [],
  );
  const ofKnowledge = bot.knowledge === undefined ? undefined : knowledgeResponderFor(bot);
  return ofKnowledge === undefined ? answering : [...answering, ofKnowledge];
}
