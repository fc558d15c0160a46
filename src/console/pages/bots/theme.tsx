import { Fragment, h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { ChoiceField, TextField, wholeNumber } from "./form.tsx";
import { WidgetPreview } from "./widget-preview.tsx";

const HEX = /^#[0-9a-fA-F]{6}$/;

/** A colour of the bot file; empty: the default. */
const colour = (typed: string) => {
  if (typed.trim() === "") return { value: undefined };
  return HEX.test(typed.trim()) ? { value: typed.trim() } : { fault: "Use a colour such as #1b5e4b." };
};

/** The bot's identity and theme, with a live preview of the widget. */
export function Theme({ editor }: { editor: BotDraftEditor }) {
  return (
    <Fragment>
      <Identity editor={editor} />
      <Looks editor={editor} />
      <WidgetPreview editor={editor} />
    </Fragment>
  );
}

function Identity({ editor }: { editor: BotDraftEditor }) {
  return (
    <section class="section" aria-labelledby="h-identity">
      <header>
        <h2 id="h-identity">Identity</h2>
      </header>
      <div class="fields">
        <TextField
          editor={editor}
          path={["avatarUrl"]}
          label="Avatar URL (square)"
          placeholder="initials of the name"
        />
        <TextField editor={editor} path={["tagline"]} label="Tagline" placeholder="nothing" />
        <TextField editor={editor} path={["launcher", "label"]} label="Launcher label" placeholder="none" />
        <ChoiceField
          editor={editor}
          path={["launcher", "icon"]}
          label="Launcher icon"
          options={[
            ["", "Default (speech bubble)"],
            ["chat", "speech bubble"],
            ["avatar", "avatar"],
          ]}
        />
        <TextField
          editor={editor}
          path={["legal"]}
          label="Legal notice below the greeting (Markdown)"
          rows={2}
          isWide
          placeholder="that visitors chat with an automated assistant, in their language"
        />
      </div>
    </section>
  );
}

function Looks({ editor }: { editor: BotDraftEditor }) {
  return (
    <section class="section" aria-labelledby="h-theme">
      <header>
        <h2 id="h-theme">Theme</h2>
        <span class="end faint">text colours are chosen for sufficient contrast</span>
      </header>
      <div class="fields">
        <ColourField editor={editor} name="primaryColor" label="Primary colour (buttons, visitor messages)" />
        <ColourField editor={editor} name="backgroundColor" label="Background colour of the panel" />
        <ChoiceField
          editor={editor}
          path={["theme", "colorScheme"]}
          label="Colour scheme"
          options={[
            ["", "Default (the visitor's system)"],
            ["auto", "the visitor's system"],
            ["light", "light"],
            ["dark", "dark"],
          ]}
        />
        <ChoiceField
          editor={editor}
          path={["theme", "position"]}
          label="Position"
          options={[
            ["", "Default (right; left on right-to-left pages)"],
            ["end", "right; left on right-to-left pages"],
            ["start", "left; right on right-to-left pages"],
          ]}
        />
        <TextField
          editor={editor}
          path={["theme", "cornerRadius"]}
          label="Corner radius in pixels"
          type="number"
          parse={wholeNumber}
          placeholder="16"
          hint="0 to 28."
        />
        <ChoiceField
          editor={editor}
          path={["suggestedQuestionsStyle"]}
          label="Style of suggested questions"
          options={[
            ["", "Default (pills)"],
            ["pills", "pills"],
            ["message_box", "boxes"],
          ]}
        />
        <TextField
          editor={editor}
          path={["theme", "fontFamily"]}
          label="Font family"
          placeholder="the visitor's system font"
          hint="The page must load fonts that the visitor's system lacks."
        />
        <TextField
          editor={editor}
          path={["theme", "offsetX"]}
          label="Distance from the side in pixels"
          type="number"
          parse={wholeNumber}
          placeholder="20"
          hint="0 to 400."
        />
        <TextField
          editor={editor}
          path={["theme", "offsetY"]}
          label="Distance from the bottom in pixels"
          type="number"
          parse={wholeNumber}
          placeholder="20"
          hint="0 to 400."
        />
        <ChoiceField
          editor={editor}
          path={["theme", "density"]}
          label="Message spacing"
          options={[
            ["", "Default (comfortable)"],
            ["comfortable", "comfortable"],
            ["compact", "compact"],
          ]}
        />
      </div>
    </section>
  );
}

interface ColourFieldProps {
  editor: BotDraftEditor;
  name: "primaryColor" | "backgroundColor";
  label: string;
}

function ColourField({ editor, name, label }: ColourFieldProps) {
  return (
    <TextField editor={editor} path={["theme", name]} label={label} parse={colour} placeholder="default" />
  );
}
