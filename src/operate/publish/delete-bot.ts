import type { Bots, StoredBot } from "../../store/interface/bots.ts";
import type { Erasure } from "../../store/interface/conversations.ts";
import type { Knowledge } from "../../store/interface/knowledge.ts";
import { forgetDocuments } from "../forget-documents.ts";

/** Conversations that are erased at a time: some milliseconds of the loop, on which visitors of other bots wait. */
const STEP = 20;
/** What their messages have between two steps. */
const PAUSE_MS = 10;
/** Of a file that is written anew: none is while visitors wait; `parley conversation delete` does it. */
const MOST_REWRITTEN_BYTES = 0;

/** The parts that deleting uses. */
export interface DeleteParts {
  bots: Pick<Bots, "setEnabled" | "delete">;
  erasure: Pick<Erasure, "eraseSomeOf" | "wipeFiles">;
  knowledge: Pick<Knowledge, "listDocuments" | "removeDocuments">;
}

/**
 * Deletes a bot with all that visitors have said to it. It is disabled first, so that nobody talks to it meanwhile, and its conversations and
 * documents go in small steps: in one, they would hold up the messages of every other bot.
 *
 * @returns false where it has gone meanwhile.
 */
export async function deleteBot(
  { bots, erasure, knowledge }: DeleteParts,
  { id, key }: StoredBot,
): Promise<boolean> {
  await bots.setEnabled(id, false);
  let erased = 0;
  for (let some = STEP; some === STEP; erased += some) {
    some = await erasure.eraseSomeOf(key, STEP);
    await Bun.sleep(PAUSE_MS);
  }
  await forgetDocuments({ knowledge }, key);
  const isDeleted = await bots.delete(id, erased);
  await erasure.wipeFiles(MOST_REWRITTEN_BYTES);
  return isDeleted;
}
