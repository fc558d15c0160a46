import type { BotDraftEditor, Step } from "../draft/bot-draft.ts";
import { sayFault, type Toast } from "../toasts.ts";

/** Undoes an edit; later edits stay. @returns false if it cannot be undone; a message says why. */
export function takeBack(editor: BotDraftEditor, step: Step): boolean {
  const isTaken = editor.takeBack(step);
  if (!isTaken) sayFault("Not undone: the same lines were edited since. Undo those edits first.");
  return isTaken;
}

/** The undo button of the message after an edit. */
export function wayBack(editor: BotDraftEditor, step: Step): NonNullable<Toast["undo"]> {
  return { says: "Undo", run: () => takeBack(editor, step) };
}
