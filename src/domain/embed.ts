import { type Static, Type } from "@sinclair/typebox";

import { HandoffField, HandoffOffer, HandoffSettings } from "./handoff.ts";
import { integer, named, namedStrict, oneOf, textUpTo } from "./schemas.ts";

export const HEX_COLOUR_PATTERN = "^#[0-9a-fA-F]{6}$";
export const FONTS_PATTERN = "^[A-Za-z0-9 ,\"'-]{1,200}$";
export const WEB_ADDRESS_PATTERN = "^https?://";

const hexColour = (description: string) =>
  Type.String({ pattern: HEX_COLOUR_PATTERN, description: `${description}, in hex notation (#rrggbb)` });

/** How the widget looks. Colours of text on these are computed by the widget, so that contrast always holds. */
export const WidgetTheme = namedStrict("WidgetTheme", {
  primaryColor: Type.Optional(
    hexColour("Colour of the launcher, the send button and the visitor's messages"),
  ),
  backgroundColor: Type.Optional(hexColour("Colour of the panel")),
  colorScheme: Type.Optional(
    oneOf(["auto", "light", "dark"], {
      description: "Follow the visitor's system (auto, the default), or always light or dark",
    }),
  ),
  cornerRadius: Type.Optional(integer(0, 28, "Radius of the panel's corners in pixels (default 16)")),
  position: Type.Optional(
    oneOf(["end", "start"], {
      description: "Corner of the launcher in reading direction: end (the default) or start",
    }),
  ),
  offsetX: Type.Optional(
    integer(0, 400, "Pixels between the launcher and that side of the page (default 20)"),
  ),
  offsetY: Type.Optional(
    integer(0, 400, "Pixels between the launcher and the page's lower edge (default 20)"),
  ),
  fontFamily: Type.Optional(
    Type.String({
      pattern: FONTS_PATTERN,
      description: "CSS font families of the panel; the page has to provide those that the system lacks",
    }),
  ),
  density: Type.Optional(
    oneOf(["comfortable", "compact"], {
      description: "Room between messages: comfortable (the default) or compact",
    }),
  ),
});
export type WidgetTheme = Static<typeof WidgetTheme>;

export const SuggestedQuestion = namedStrict("SuggestedQuestion", {
  id: textUpTo(64, "Question identifier"),
  text: textUpTo(200, "Question display text"),
  order: Type.Number({ description: "Display order, ascending" }),
});
export type SuggestedQuestion = Static<typeof SuggestedQuestion>;

/** The bot's name and looks. */
export const BotIdentity = Type.Object({
  avatarUrl: Type.Optional(
    Type.String({
      pattern: WEB_ADDRESS_PATTERN,
      maxLength: 2048,
      description: "Picture of the bot, square, at http or https; absent: the initials of its name",
    }),
  ),
  tagline: Type.Optional(textUpTo(120, "Stands below the bot's name")),
  legal: Type.Optional(
    textUpTo(
      500,
      "In Markdown, below the greeting; absent: that the visitor chats with an automated assistant, in the visitor's language",
    ),
  ),
  launcher: Type.Optional(
    Type.Object(
      {
        label: Type.Optional(textUpTo(40, "Text next to the launcher's icon")),
        icon: Type.Optional(
          oneOf(["chat", "avatar"], {
            description: "A speech bubble (the default), or the picture of avatarUrl",
          }),
        ),
      },
      { additionalProperties: false, description: "How the launcher looks" },
    ),
  ),
});
export type BotIdentity = Static<typeof BotIdentity>;

export const SuggestedQuestionsStyle = oneOf(["pills", "message_box"]);

/** A custom panel: an ES module whose default export is `mount(root, context)`. */
export const WidgetTemplate = namedStrict("WidgetTemplate", {
  id: textUpTo(64, "Template ID"),
  bundleUrl: textUpTo(
    2048,
    "URL of the template's JavaScript bundle; in a bot file it may be relative, and is then resolved against cdnUrl",
  ),
  options: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: "Template-specific configuration options" }),
  ),
});
export type WidgetTemplate = Static<typeof WidgetTemplate>;

/** 200 body of GET /embed-config (service interface, EmbedConfig). */
export const EmbedConfig = named("EmbedConfig", {
  botName: Type.String({ description: "Display name of the agent" }),
  welcomeMessage: Type.String({ description: "Welcome message with {botName} already replaced" }),
  runtimeEndpoint: Type.String({ description: "Runtime API URL that the widget must use" }),
  cdnUrl: Type.String({ description: "CDN base URL for assets" }),
  poweredByRequired: Type.Boolean({
    description: 'Whether the "powered by" attribution must be displayed',
  }),
  theme: Type.Optional(WidgetTheme),
  suggestedQuestions: Type.Array(SuggestedQuestion),
  suggestedQuestionsStyle: SuggestedQuestionsStyle,
  template: Type.Optional(WidgetTemplate),
  handoff: Type.Optional(
    Type.Object(
      {
        offer: Type.Array(HandoffOffer, { description: "When the visitor is offered a person" }),
        fields: Type.Array(HandoffField, { description: "What the form asks for" }),
        hours: HandoffSettings.properties.hours,
        live: Type.Boolean({ description: "Whether a person may come into the conversation" }),
      },
      { description: "How a visitor comes to a person; absent: not at all" },
    ),
  ),
  ...BotIdentity.properties,
});
export type EmbedConfig = Static<typeof EmbedConfig>;
