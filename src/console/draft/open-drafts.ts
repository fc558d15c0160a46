import { useEffect, useState } from "preact/hooks";

import { offline } from "../api/offline.ts";
import type { Problem } from "../api/problem.ts";
import { asProblem } from "../api/resource.ts";
import { botApi } from "./bot-api.ts";
import { BotDraftEditor } from "./bot-draft.ts";

const open = new Map<string, BotDraftEditor>();

/** The editor of a bot: one for the whole console, so that what was begun on one page goes on on the next. */
export function draftOf(bot: string): BotDraftEditor {
  const known = open.get(bot);
  if (known !== undefined) return known;
  const editor = new BotDraftEditor(bot, botApi(bot));
  if (open.size === 0) document.addEventListener("visibilitychange", saveWhereHidden);
  open.set(bot, editor);
  return editor;
}

/** A page that is left may not come back: what was typed within the last moment is saved now. */
function saveWhereHidden(): void {
  if (document.visibilityState !== "hidden") return;
  for (const editor of open.values()) if (editor.saveState.peek() === "unsaved") void editor.settle();
}

/** After a bot was deleted. */
export function forgetDraft(bot: string): void {
  open.delete(bot);
}

export interface OpenedDraft {
  /** Undefined until the bot is read. */
  editor: BotDraftEditor | undefined;
  problem: Problem | undefined;
  reload: () => void;
}

/** Reads a bot and its draft for a page. What has not been saved yet stays. */
export function useDraft(bot: string): OpenedDraft {
  const [state, setState] = useState<{ bot: string; problem?: Problem }>();
  const [round, setRound] = useState(0);
  useEffect(() => {
    let isGone = false;
    const end = (problem?: Problem) => {
      if (!isGone) setState({ bot, ...(problem && { problem }) });
    };
    const editor = draftOf(bot);
    const isSettled = editor.saveState.peek() === "saved" && editor.clash.peek() === undefined;
    const isKnown = editor.published.peek() !== undefined;
    if (bot !== "" && (isSettled || !isKnown)) {
      editor.load().then(
        () => end(),
        (error: unknown) => end(asProblem(error)),
      );
    } else end();
    return () => {
      isGone = true;
    };
  }, [bot, round]);
  useEffect(
    () =>
      offline.subscribe((is) => {
        if (is === undefined) void draftOf(bot).retry();
      }),
    [bot],
  );
  const isThis = state?.bot === bot;
  return {
    editor: isThis && state.problem === undefined ? draftOf(bot) : undefined,
    problem: isThis ? state.problem : undefined,
    reload: () => setRound(round + 1),
  };
}
