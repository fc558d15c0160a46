import type { BotDocument, ModelResponder, ResponderSettings } from "./bot.ts";

/** What answers an intent: its responses, or a model. */
export type Responder = { kind: "scripted" } | ModelResponder;

/** Settles who answers an intent: its own responder before the bot's, responses before `else`. Pure. */
export function responderFor(bot: BotDocument, intentName: string): Responder {
  const intent = bot.intents?.find(({ name }) => name === intentName);
  const settings = intent?.responder ?? bot.responder ?? { kind: "scripted" };
  if (settings.kind === "model") return settings;
  if (intent?.responses || settings.else === undefined) return { kind: "scripted" };
  return settings.else === "model" ? modelOf(bot.responder) : settings.else;
}

/** `else: model` in an intent means the bot's own model responder. */
function modelOf(settings: ResponderSettings | undefined): ModelResponder {
  if (settings?.kind === "model") return settings;
  return typeof settings?.else === "object" ? settings.else : { kind: "model" };
}

/** The model servers that a bot names, for answers, embeddings and judging. Pure. */
export function modelServersOf({ responder, classifier, intents = [] }: BotDocument): ReadonlySet<string> {
  const responders = [responder, ...intents.map((intent) => intent.responder)];
  const answering = responders.flatMap((settings) => {
    const model = settings?.kind === "model" ? settings : settings?.else;
    return typeof model === "object" ? (model.models ?? []) : [];
  });
  const helping = [classifier?.embeddings?.model, classifier?.judge?.model];
  return new Set([...answering, ...helping].filter((name) => name !== undefined));
}
