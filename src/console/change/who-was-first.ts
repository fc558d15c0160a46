import type { BotDraftEditor } from "../draft/bot-draft.ts";

/** Who stands in the way of what was to be published, as a sentence: a colleague who has published, or changed the draft. */
export function whoWasFirst(editor: BotDraftEditor): string {
  const clash = editor.clash.peek();
  if (clash?.kind === "draft") return `${clash.by} changed the draft in the meantime.`;
  const { publishedBy, version } = editor.published.peek()!;
  return `${publishedBy} published version ${version} in the meantime.`;
}
