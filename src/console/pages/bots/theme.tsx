import { h } from "preact";

import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { ChoiceField, TextField, wholeNumber } from "./form.tsx";
import { WidgetPreview } from "./widget-preview.tsx";

const HEX = /^#[0-9a-fA-F]{6}$/;

/** A colour as the bot file has it; empty: the widget's own. */
const colour = (typed: string) => {
  if (typed.trim() === "") return { value: undefined };
  return HEX.test(typed.trim()) ? { value: typed.trim() } : { fault: "As #1b5e4b." };
};

/** How the widget looks, with the widget itself beside it. */
export function Theme({ editor }: { editor: BotDraftEditor }) {
  return (
    <section class="section gap" aria-labelledby="h-theme">
      <header>
        <h2 id="h-theme">Theme</h2>
        <span class="end faint">colours of text are computed, so that contrast always holds</span>
      </header>
      <div class="fields">
        <TextField
          editor={editor}
          path={["theme", "primaryColor"]}
          label="Colour of buttons and of what visitors say"
          parse={colour}
          placeholder="the widget's own"
        />
        <TextField
          editor={editor}
          path={["theme", "backgroundColor"]}
          label="Colour of the panel"
          parse={colour}
          placeholder="the widget's own"
        />
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
      </div>
      <WidgetPreview editor={editor} />
    </section>
  );
}
