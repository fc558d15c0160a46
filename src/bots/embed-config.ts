import type { PublicAddresses } from "../config/addresses.ts";
import { type BotDocument, withBotName } from "../domain/bot.ts";
import type { BotIdentity, EmbedConfig, SuggestedQuestion, WidgetTemplate } from "../domain/embed.ts";
import { DEFAULT_HANDOFF_FIELDS, HANDOFF_OFFERS, type HandoffSettings } from "../domain/handoff.ts";
import { usableHours } from "../domain/opening-hours.ts";
import { defaultWelcome, languageOfBot, questionId, wordedBot } from "../texts/bot-wording.ts";

/** A bot's widget configuration (service interface, EmbedConfig), in its own language or a given one. Pure. */
export function embedConfigOf(
  document: BotDocument,
  { publicUrl, cdnUrl }: PublicAddresses,
  language?: string,
): EmbedConfig {
  const bot = wordedBot(document, language);
  return {
    botName: bot.name,
    welcomeMessage: withBotName(bot.welcomeMessage ?? defaultWelcome(document, language), bot.name),
    runtimeEndpoint: publicUrl,
    cdnUrl,
    poweredByRequired: bot.poweredByRequired ?? true,
    ...(bot.theme && { theme: bot.theme }),
    suggestedQuestions: suggestedQuestionsOf(bot),
    suggestedQuestionsStyle: bot.suggestedQuestionsStyle ?? "pills",
    ...(bot.template && { template: templateOf(bot.template, cdnUrl) }),
    ...(bot.handoff && { handoff: handoffOf(bot.handoff, languageOfBot(document)) }),
    ...identityOf(bot),
  };
}

/** The public part of the hand-off settings, without addresses. A bot of an earlier version may have hours that are now invalid. */
function handoffOf(
  { offer, fields, live, ...settings }: HandoffSettings,
  language: string,
): NonNullable<EmbedConfig["handoff"]> {
  const hours = usableHours(settings.hours, language);
  return {
    offer: [...(offer ?? HANDOFF_OFFERS)],
    fields: [...(fields ?? DEFAULT_HANDOFF_FIELDS)],
    ...(hours && { hours }),
    live: live ?? true,
  };
}

function identityOf({ name, avatarUrl, tagline, legal, launcher }: BotDocument): BotIdentity {
  return {
    ...(avatarUrl && { avatarUrl }),
    ...(tagline && { tagline: withBotName(tagline, name) }),
    ...(legal && { legal: withBotName(legal, name) }),
    ...(launcher && { launcher }),
  };
}

/** Default id and order of a question: its position in the file. */
function suggestedQuestionsOf({ suggestedQuestions = [] }: BotDocument): SuggestedQuestion[] {
  return suggestedQuestions
    .map((question, index) => ({
      id: questionId(question, index),
      text: question.text,
      order: question.order ?? index + 1,
    }))
    .toSorted((a, b) => a.order - b.order);
}

function templateOf(template: WidgetTemplate, cdnUrl: string): WidgetTemplate {
  return { ...template, bundleUrl: new URL(template.bundleUrl, `${cdnUrl}/`).href };
}
