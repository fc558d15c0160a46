import type { PublicAddresses } from "../config/addresses.ts";
import { DEFAULT_WELCOME_MESSAGE, type BotDocument, withBotName } from "../domain/bot.ts";
import type { BotIdentity, EmbedConfig, SuggestedQuestion, WidgetTemplate } from "../domain/embed.ts";
import { DEFAULT_HANDOFF_FIELDS, HANDOFF_OFFERS, type HandoffSettings } from "../domain/handoff.ts";

/** What the widget shows of a bot (service interface, EmbedConfig). Pure. */
export function embedConfigOf(bot: BotDocument, { publicUrl, cdnUrl }: PublicAddresses): EmbedConfig {
  return {
    botName: bot.name,
    welcomeMessage: withBotName(bot.welcomeMessage ?? DEFAULT_WELCOME_MESSAGE, bot.name),
    runtimeEndpoint: publicUrl,
    cdnUrl,
    poweredByRequired: bot.poweredByRequired ?? true,
    ...(bot.theme && { theme: bot.theme }),
    suggestedQuestions: suggestedQuestionsOf(bot),
    suggestedQuestionsStyle: bot.suggestedQuestionsStyle ?? "pills",
    ...(bot.template && { template: templateOf(bot.template, cdnUrl) }),
    ...(bot.handoff && { handoff: handoffOf(bot.handoff) }),
    ...identityOf(bot),
  };
}

/** What visitors may know of it: no addresses. */
function handoffOf({ offer, fields, hours, live }: HandoffSettings): NonNullable<EmbedConfig["handoff"]> {
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

/** A question without an id or an order gets those of its place in the file. */
function suggestedQuestionsOf({ suggestedQuestions = [] }: BotDocument): SuggestedQuestion[] {
  return suggestedQuestions
    .map(({ id, text, order }, index) => ({ id: id ?? `q${index + 1}`, text, order: order ?? index + 1 }))
    .toSorted((a, b) => a.order - b.order);
}

function templateOf(template: WidgetTemplate, cdnUrl: string): WidgetTemplate {
  return { ...template, bundleUrl: new URL(template.bundleUrl, `${cdnUrl}/`).href };
}
