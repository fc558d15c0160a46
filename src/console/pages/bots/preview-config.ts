import type { BotIdentity, EmbedConfig, WidgetTheme } from "../../../domain/embed.ts";
import type { HandoffSettings } from "../../../domain/handoff.ts";
import { usableHours } from "../../../domain/opening-hours.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";
import { HANDOFF_OFFERS, USUAL_FIELDS } from "./settings.ts";

/** Views of the preview. */
export type View = "light" | "dark" | "phone" | "rtl";

const textAt = (bot: unknown, field: string, otherwise: string): string => {
  const value = valueAt(bot, [field]);
  return typeof value === "string" ? value : otherwise;
};

/** Settings of the preview, with the server's values for the draft. */
interface Previewed {
  publicUrl: string;
  view: View;
  /** The greeting used if the bot has none. */
  defaultWelcome: string;
}

/**
 * The answer of GET /embed-config for a draft, as far as the draft parses. If the bot leaves the colour scheme open, the preview's is used.
 */
export function previewConfig(bot: unknown, { publicUrl, view, defaultWelcome }: Previewed): EmbedConfig {
  const name = textAt(bot, "name", "");
  const url = publicUrl.replace(/\/+$/, "");
  const named = (text: string) => text.replaceAll("{botName}", () => name);
  const template = valueAt(bot, ["template"]);
  const cdn = `${url}/cdn/`;
  const handoff = valueAt(bot, ["handoff"]);
  return {
    botName: name,
    welcomeMessage: named(textAt(bot, "welcomeMessage", defaultWelcome)),
    runtimeEndpoint: publicUrl,
    cdnUrl: `${url}/cdn`,
    poweredByRequired: valueAt(bot, ["poweredByRequired"]) !== false,
    theme: themeOf(bot, view),
    suggestedQuestions: questionsOf(bot),
    suggestedQuestionsStyle:
      valueAt(bot, ["suggestedQuestionsStyle"]) === "message_box" ? "message_box" : "pills",
    ...(isTemplate(template) &&
      URL.canParse(template.bundleUrl, cdn) && {
        template: { ...template, bundleUrl: new URL(template.bundleUrl, cdn).href },
      }),
    ...(isFields(handoff) && { handoff: handoffOf(handoff, languageOf(bot)) }),
    ...identityOf(bot, named),
  };
}

/** The draft's language, used for the names of days. */
function languageOf(bot: unknown): string {
  const [primary = ""] = textAt(bot, "language", "").split("-");
  return /^[a-z]{2,3}$/i.test(primary) ? primary : "en";
}

function handoffOf(
  { offer, fields, live, ...settings }: HandoffSettings,
  language: string,
): NonNullable<EmbedConfig["handoff"]> {
  const hours = areHours(settings.hours) ? usableHours(settings.hours, language) : undefined;
  return {
    offer: Array.isArray(offer) ? offer : [...HANDOFF_OFFERS],
    fields: Array.isArray(fields) ? fields : [...USUAL_FIELDS],
    ...(hours && { hours }),
    live: live ?? true,
  };
}

/** Opening hours may be invalid while they are typed. */
function areHours(value: unknown): value is NonNullable<HandoffSettings["hours"]> {
  if (!isFields(value) || typeof value["timezone"] !== "string") return false;
  return Array.isArray(value["open"]) && value["open"].every((opening) => typeof opening === "string");
}

function identityOf(bot: unknown, named: (text: string) => string): BotIdentity {
  const [avatarUrl, tagline, legal] = ["avatarUrl", "tagline", "legal"].map((field) =>
    textAt(bot, field, ""),
  );
  const launcher = valueAt(bot, ["launcher"]);
  return {
    ...(avatarUrl && { avatarUrl }),
    ...(tagline && { tagline: named(tagline) }),
    ...(legal && { legal: named(legal) }),
    ...(isFields(launcher) && { launcher }),
  };
}

function themeOf(bot: unknown, view: View): WidgetTheme {
  const own = valueAt(bot, ["theme"]);
  const theme = isFields(own) ? (own as WidgetTheme) : {};
  const isOpen = theme.colorScheme === undefined || theme.colorScheme === "auto";
  return isOpen ? { ...theme, colorScheme: view === "dark" ? "dark" : "light" } : theme;
}

function isTemplate(value: unknown): value is NonNullable<EmbedConfig["template"]> {
  return isFields(value) && typeof value["bundleUrl"] === "string" && typeof value["id"] === "string";
}

function questionsOf(bot: unknown): EmbedConfig["suggestedQuestions"] {
  const questions = valueAt(bot, ["suggestedQuestions"]);
  if (!Array.isArray(questions)) return [];
  return questions
    .filter((question): question is { id?: string; text: string; order?: number } => isFields(question))
    .map(({ id, text, order }, at) => ({ id: id ?? `q${at + 1}`, text, order: order ?? at + 1 }))
    .toSorted((one, other) => one.order - other.order);
}
