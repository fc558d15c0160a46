import type { BotDraftEditor } from "../draft/bot-draft.ts";

/** The colleague's change that prevented a publication, as a sentence: a publication or a change of the draft. */
export function whoWasFirst(editor: BotDraftEditor): string {
  const clash = editor.clash.peek();
  if (clash?.kind === "draft") return `${clash.by} changed the draft in the meantime.`;
  const { publishedBy, version } = editor.published.peek()!;
  return `${publishedBy} published version ${version} in the meantime.`;
}
