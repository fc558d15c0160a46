import type { PromptMessage } from "../domain/completion.ts";
import type { PastTurn } from "../domain/conversation.ts";

/** Marks with which chat templates tell the speakers apart; some servers read them inside a message too. */
const MARKERS = /<(?=\|[^|<>]{1,40}\|>|\/?s>|<\/?SYS>>|(?:start|end)_of_turn>)|\[(?=\/?INST\])/gi;

/** Text that nobody's chat template can mistake for the end of a message: a space is put into such marks. */
export function withoutTemplateMarkers(text: string): string {
  return text.replace(MARKERS, "$& ");
}

/** How much of a conversation a model sees. */
export interface HistoryBudget {
  turns: number;
  /** Of messages and answers together, in UTF-16 units. */
  characters: number;
}

export const DEFAULT_HISTORY: HistoryBudget = { turns: 10, characters: 12_000 };

/**
 * The latest turns that fit, oldest first, each whole or not at all. Turns that the profile restricted are left out with
 * their messages, and so are turns without an answer, and what was written to a person: a model sees nothing that was refused, or that
 * nothing has judged.
 */
export function recallTurns(turns: readonly PastTurn[], budget: HistoryBudget): PromptMessage[] {
  const recalled: PastTurn[] = [];
  let characters = 0;
  for (const turn of turns.filter(isRecallable).toReversed()) {
    characters += turn.input.length + turn.response.length;
    if (recalled.length >= budget.turns || characters > budget.characters) break;
    recalled.unshift(turn);
  }
  return recalled.flatMap(({ input, response }) => [
    { role: "user", content: withoutTemplateMarkers(input) },
    { role: "assistant", content: response },
  ]);
}

/** Allowed turns name their intent; messages to an operator were not judged and have none. */
function isRecallable({ state, capabilityAllowed, intent, response }: PastTurn): boolean {
  return capabilityAllowed && intent !== undefined && state !== "unanswered" && response !== "";
}
