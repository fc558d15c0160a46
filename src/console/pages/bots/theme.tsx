import { Fragment, h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { ChoiceField, TextField, wholeNumber } from "./form.tsx";
import { WidgetPreview } from "./widget-preview.tsx";

const HEX = /^#[0-9a-fA-F]{6}$/;

/** A colour as the bot file has it; empty: the widget's own. */
const colour = (typed: string) => {
  if (typed.trim() === "") return { value: undefined };
  return HEX.test(typed.trim()) ? { value: typed.trim() } : { fault: "As #1b5e4b." };
};

/** Who the bot is at first sight and how the widget looks, with the widget itself beside it. */
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
        <h2 id="h-identity">At first sight</h2>
      </header>
      <div class="fields">
        <TextField
          editor={editor}
          path={["avatarUrl"]}
          label="Address of a square picture"
          placeholder="the initials of its name"
        />
        <TextField editor={editor} path={["tagline"]} label="Below the name" placeholder="nothing" />
        <TextField
          editor={editor}
          path={["launcher", "label"]}
          label="Words beside the button"
          placeholder="none"
        />
        <ChoiceField
          editor={editor}
          path={["launcher", "icon"]}
          label="The button shows"
          options={[
            ["", "not said: a speech bubble"],
            ["chat", "a speech bubble"],
            ["avatar", "the picture"],
          ]}
        />
        <TextField
          editor={editor}
          path={["legal"]}
          label="Below the greeting, in Markdown"
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
        <span class="end faint">colours of text are computed, so that contrast always holds</span>
      </header>
      <div class="fields">
        <ColourField editor={editor} name="primaryColor" label="Colour of buttons and of what visitors say" />
        <ColourField editor={editor} name="backgroundColor" label="Colour of the panel" />
        <ChoiceField
          editor={editor}
          path={["theme", "colorScheme"]}
          label="Light or dark"
          options={[
            ["", "not said: as the visitor's system"],
            ["auto", "as the visitor's system"],
            ["light", "always light"],
            ["dark", "always dark"],
          ]}
        />
        <ChoiceField
          editor={editor}
          path={["theme", "position"]}
          label="Corner"
          options={[
            ["", "not said: at the end of the line"],
            ["end", "at the end of the line"],
            ["start", "at its start"],
          ]}
        />
        <TextField
          editor={editor}
          path={["theme", "cornerRadius"]}
          label="Radius of the corners, in pixels"
          type="number"
          parse={wholeNumber}
          placeholder="16"
          hint="0 to 28."
        />
        <ChoiceField
          editor={editor}
          path={["suggestedQuestionsStyle"]}
          label="Suggested questions"
          options={[
            ["", "not said: small buttons"],
            ["pills", "small buttons"],
            ["message_box", "boxes"],
          ]}
        />
        <TextField
          editor={editor}
          path={["theme", "fontFamily"]}
          label="Fonts, the first that is there"
          placeholder="the visitor's system"
          hint="The page has to provide what systems lack."
        />
        <TextField
          editor={editor}
          path={["theme", "offsetX"]}
          label="Pixels from the side"
          type="number"
          parse={wholeNumber}
          placeholder="20"
          hint="0 to 400."
        />
        <TextField
          editor={editor}
          path={["theme", "offsetY"]}
          label="Pixels from below"
          type="number"
          parse={wholeNumber}
          placeholder="20"
          hint="0 to 400."
        />
        <ChoiceField
          editor={editor}
          path={["theme", "density"]}
          label="Room between messages"
          options={[
            ["", "not said: comfortable"],
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
    <TextField
      editor={editor}
      path={["theme", name]}
      label={label}
      parse={colour}
      placeholder="the widget's own"
    />
  );
}
