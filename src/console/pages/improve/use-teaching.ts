import { useRef, useState } from "preact/hooks";

import type { ImproveGroup } from "../../../domain/operator/improve.ts";
import type { BotDraftEditor } from "../../draft/bot-draft.ts";
import { firstChoice, type Target, taught, taughtBefore } from "../../teach/teaching.ts";
import { noteTaught } from "./set-aside.ts";

/** The operator's choices for the open group. */
export interface Teaching {
  chosen: readonly string[];
  target: Target | undefined;
  /** The bot's text without these choices. */
  base: string;
  choose: (messages: readonly string[]) => void;
  aim: (target: Target | undefined) => void;
}

interface Held {
  group: string;
  base: string;
  /** The text that this wrote last. A different text means that somebody edited or undid something since. */
  wrote: string;
  chosen: readonly string[];
  target: Target | undefined;
}

/** Writes the choices to the bot's draft as they are made. They stay when another group is opened. */
export function useTeaching(group: ImproveGroup, editor: BotDraftEditor): Teaching {
  const [, redraw] = useState(0);
  const held = useRef<Held | undefined>(undefined);
  const text = editor.text.value;
  if (held.current?.group !== group.id || held.current.wrote !== text)
    held.current = begun(group, editor, held.current);
  const now = held.current;
  const apply = (chosen: readonly string[], target: Target | undefined) => {
    const next = target === undefined ? now.base : taught(now.base, chosen, target);
    // The first edit of a group starts an undo step; later letters belong to it.
    if (now.wrote === now.base) editor.edit(next ?? now.base);
    else editor.refine(next ?? now.base);
    if (target !== undefined) noteTaught(group.bot, chosen);
    held.current = { ...now, chosen, target, wrote: editor.text.peek() };
    redraw((count) => count + 1);
  };
  return {
    chosen: now.chosen,
    target: now.target,
    base: now.base,
    choose: (chosen) => apply(chosen, now.target),
    aim: (target) => apply(now.chosen, target),
  };
}

/**
 * Starts from what the draft already teaches of this group, whoever wrote it; otherwise an edit that no form shows would be published
 * unseen. If the draft teaches nothing of it, the selection stays and the intent has to be chosen again.
 */
function begun(group: ImproveGroup, editor: BotDraftEditor, before: Held | undefined): Held {
  const text = editor.text.value;
  const messages = group.messages.map((message) => message.text);
  const found = taughtBefore(text, editor.published.value?.yaml ?? text, messages);
  if (found !== undefined) {
    noteTaught(group.bot, found.chosen);
    return { group: group.id, ...found, wrote: text };
  }
  const chosen = before?.group === group.id ? before.chosen : firstChoice(group);
  return { group: group.id, base: text, wrote: text, chosen, target: undefined };
}
