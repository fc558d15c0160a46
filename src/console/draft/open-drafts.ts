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
  open.set(bot, editor);
  return editor;
}

/** Editors whose text is not on the server. */
const unsaved = () => [...open.values()].filter(({ saveState }) => saveState.peek() !== "saved");

/** Sees to it that no text is lost by leaving the page, and that what could not be saved is saved when the server answers again. */
export function keepDrafts(): void {
  document.addEventListener("visibilitychange", () => {
    // A page that is left may not come back.
    if (document.visibilityState === "hidden") void saveDrafts();
  });
  addEventListener("beforeunload", (event) => {
    if (unsaved().length === 0) return;
    event.preventDefault();
    void saveDrafts();
  });
  offline.subscribe((is) => {
    if (is === undefined) for (const editor of unsaved()) void editor.retry();
  });
}

/** Saves what was typed. @returns whether all of it is on the server. */
export async function saveDrafts(): Promise<boolean> {
  await Promise.all(unsaved().map((editor) => editor.settle()));
  return unsaved().length === 0;
}

/** After a bot was deleted. */
export function forgetDraft(bot: string): void {
  open.get(bot)?.close();
  open.delete(bot);
}

/** After somebody has left: what they typed is nobody else's. */
export function forgetDrafts(): void {
  for (const bot of open.keys()) forgetDraft(bot);
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
  const isThis = state?.bot === bot;
  return {
    editor: isThis && state.problem === undefined ? draftOf(bot) : undefined,
    problem: isThis ? state.problem : undefined,
    reload: () => setRound(round + 1),
  };
}
