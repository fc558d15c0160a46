import type { BotDraftEditor, Step } from "../draft/bot-draft.ts";
import { sayFault, type Toast } from "../toasts.ts";

/** Takes a step of editing back; edits that came after it stay. @returns false where it says why that cannot be done. */
export function takeBack(editor: BotDraftEditor, step: Step): boolean {
  const isTaken = editor.takeBack(step);
  if (!isTaken) sayFault("Not undone: the same lines were edited since. Undo those edits first.");
  return isTaken;
}

/** What a line at the bottom offers after a step of editing. */
export function wayBack(editor: BotDraftEditor, step: Step): NonNullable<Toast["undo"]> {
  return { says: "Undo", run: () => takeBack(editor, step) };
}
