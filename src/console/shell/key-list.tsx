import { h } from "preact";

import { CONTROL_ENTER, keyActions, letterKeys, setLetterKeys } from "../keys.ts";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";

const SHOWN: Readonly<Record<string, string>> = { Escape: "esc", Enter: "↵", "Control+Enter": CONTROL_ENTER };

/** Every key that does something on this page, and the switch that turns letters off. */
export function KeyList({ onClose }: { onClose: () => void }) {
  const actions = new Map(keyActions.value.flat().map((action) => [action.key, action]));
  return (
    <Dialog title="Keys" onClose={onClose} isWide>
      <dl class="keys">
        {Array.from(actions.values(), ({ key, says }) => (
          <div key={key}>
            <dt>{says}</dt>
            <dd>
              {key.split(" ").map((part) => (
                <kbd key={part}>{SHOWN[part] ?? part}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={letterKeys.value}
          onChange={(event) => setLetterKeys(event.currentTarget.checked)}
        />
        Single-letter keys are on, except while you type in a field.
      </label>
      <div class="actions">
        <span class="end" />
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
