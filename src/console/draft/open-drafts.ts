import { useEffect, useState } from "preact/hooks";

import { offline } from "../api/connection.ts";
import type { Problem } from "../api/problem.ts";
import { asProblem } from "../api/resource.ts";
import { dismissAbout, sayFault, type Undo } from "../toasts.ts";
import { botApi } from "./bot-api.ts";
import { BotDraftEditor, type Step } from "./bot-draft.ts";

const open = new Map<string, BotDraftEditor>();

/** The editor of a bot. All pages share it, so that an edit begun on one page continues on the next. */
function draftOf(bot: string): BotDraftEditor {
  const known = open.get(bot);
  if (known !== undefined) return known;
  const editor = new BotDraftEditor(bot, botApi(bot));
  open.set(bot, editor);
  return editor;
}

/** Editors with text that the server does not have. */
const unsaved = () => [...open.values()].filter(({ saveState }) => saveState.peek() !== "saved");

/** Saves drafts when the page is left, asks before unsaved text is lost, and saves again when the server responds again. */
export function keepDrafts(): void {
  document.addEventListener("visibilitychange", () => {
    // A hidden page may be closed without a further event.
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

/** Saves all drafts. @returns whether the server has all of them. */
export async function saveDrafts(): Promise<boolean> {
  await Promise.all(unsaved().map((editor) => editor.settle()));
  return unsaved().length === 0;
}

/** Closes the editor of a deleted bot. */
export function forgetDraft(bot: string): void {
  open.get(bot)?.close();
  open.delete(bot);
  dismissAbout(bot);
}

/** Closes all editors after a sign-out, so that the next operator does not see the texts. */
export function forgetDrafts(): void {
  for (const bot of open.keys()) forgetDraft(bot);
}

interface OpenedDraft {
  /** Undefined until the bot is read. */
  editor: BotDraftEditor | undefined;
  problem: Problem | undefined;
  reload: () => void;
}

/** Opens a bot and its draft for a page. Unsaved text stays. */
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

/** Undoes an edit; later edits stay. @returns false if it cannot be undone; a message says why. */
export function takeBack(editor: BotDraftEditor, step: Step): boolean {
  const isTaken = editor.takeBack(step);
  if (!isTaken) sayFault("Not undone: the same lines were edited since. Undo those edits first.");
  return isTaken;
}

/** The undo button of the message after an edit. */
export function wayBack(editor: BotDraftEditor, step: Step): Undo {
  return { says: "Undo", run: () => takeBack(editor, step), bot: editor.bot };
}
