import { Fragment, h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { type FieldSpec, Form } from "./fields.tsx";
import { withDefault } from "./form.tsx";
import { WidgetPreview } from "./widget-preview.tsx";

const HEX = /^#[0-9a-fA-F]{6}$/;

/** A colour of the bot file; empty: the default. */
const colour = (typed: string) => {
  if (typed.trim() === "") return { value: undefined };
  return HEX.test(typed.trim()) ? { value: typed.trim() } : { fault: "Use a colour such as #1b5e4b." };
};

const IDENTITY: readonly FieldSpec[] = [
  { path: ["avatarUrl"], label: "Avatar URL (square)", placeholder: "initials of the name" },
  { path: ["tagline"], label: "Tagline", placeholder: "nothing" },
  { path: ["launcher", "label"], label: "Launcher label", placeholder: "none" },
  {
    kind: "choice",
    path: ["launcher", "icon"],
    label: "Launcher icon",
    options: withDefault({ chat: "speech bubble", avatar: "avatar" }),
  },
  {
    path: ["legal"],
    label: "Legal notice below the greeting (Markdown)",
    rows: 2,
    isWide: true,
    placeholder: "that visitors chat with an automated assistant, in their language",
  },
];

const COLOUR = { parse: colour, placeholder: "default" };
const DISTANCE = { isNumber: true, placeholder: "20", hint: "0 to 400." };

const THEME: readonly FieldSpec[] = [
  { path: ["theme", "primaryColor"], label: "Primary colour (buttons, visitor messages)", ...COLOUR },
  { path: ["theme", "backgroundColor"], label: "Background colour of the panel", ...COLOUR },
  {
    kind: "choice",
    path: ["theme", "colorScheme"],
    label: "Colour scheme",
    options: withDefault({ auto: "the visitor's system", light: "light", dark: "dark" }),
  },
  {
    kind: "choice",
    path: ["theme", "position"],
    label: "Position",
    options: withDefault({
      end: "right; left on right-to-left pages",
      start: "left; right on right-to-left pages",
    }),
  },
  {
    path: ["theme", "cornerRadius"],
    label: "Corner radius in pixels",
    isNumber: true,
    placeholder: "16",
    hint: "0 to 28.",
  },
  {
    kind: "choice",
    path: ["suggestedQuestionsStyle"],
    label: "Style of suggested questions",
    options: withDefault({ pills: "pills", message_box: "boxes" }),
  },
  {
    path: ["theme", "fontFamily"],
    label: "Font family",
    placeholder: "the visitor's system font",
    hint: "The page must load fonts that the visitor's system lacks.",
  },
  { path: ["theme", "offsetX"], label: "Distance from the side in pixels", ...DISTANCE },
  { path: ["theme", "offsetY"], label: "Distance from the bottom in pixels", ...DISTANCE },
  {
    kind: "choice",
    path: ["theme", "density"],
    label: "Message spacing",
    options: withDefault({ comfortable: "comfortable", compact: "compact" }),
  },
];

/** The bot's identity and theme, with a live preview of the widget. */
export function Theme({ editor }: { editor: BotDraftEditor }) {
  return (
    <Fragment>
      <Form editor={editor} title="Identity" fields={IDENTITY} />
      <Form
        editor={editor}
        title="Theme"
        hint="text colours are chosen for sufficient contrast"
        fields={THEME}
      />
      <WidgetPreview editor={editor} />
    </Fragment>
  );
}
