import { signal } from "@preact/signals";

import type { ImproveGroup, SetAside } from "../../../domain/operator/improve.ts";
import { ask } from "../../api/client.ts";
import { attempt, say } from "../../toasts.ts";
import { readValue } from "../../yaml/place.ts";
import { isFields, valueAt } from "../../yaml/plain.ts";

/** Groups that were just set aside. They disappear at once and return if the server rejects it. */
export const goneGroups = signal<ReadonlySet<string>>(new Set());

/** Messages assigned to an intent and not published yet, by bot. */
const taughtMessages = new Map<string, Set<string>>();

const setGone = (group: string, isGone: boolean) => {
  const others = [...goneGroups.peek()].filter((other) => other !== group);
  goneGroups.value = new Set(isGone ? [...others, group] : others);
};

/**
 * Sets a group aside permanently.
 *
 * @param undoBeside undoes the other effects of the same action.
 */
export async function setGroupAside(
  group: ImproveGroup,
  as: "ignore" | "out-of-scope",
  said: string,
  undoBeside?: () => void,
): Promise<void> {
  const texts = group.messages.map(({ text }) => text);
  const body: SetAside = { bot: group.bot, as, texts };
  setGone(group.id, true);
  if (!(await attempt("Not set aside", () => ask("POST /improve/set-aside", { body })))) {
    setGone(group.id, false);
    undoBeside?.();
    return;
  }
  say(said, {
    says: "Undo",
    run: async () => {
      await ask("DELETE /improve/set-aside", { body });
      undoBeside?.();
      setGone(group.id, false);
    },
  });
}

/** Records that messages were assigned to an intent, so that they are set aside once that is published. */
export function noteTaught(bot: string, messages: readonly string[]): void {
  const known = taughtMessages.get(bot) ?? new Set();
  for (const message of messages) known.add(message);
  taughtMessages.set(bot, known);
}

/** Sets aside the messages that a published text contains as examples. @returns them, and a function that undoes it. */
export async function setTaughtAside(
  bot: string,
  yaml: string,
): Promise<{ texts: readonly string[]; undo: () => Promise<void> }> {
  const examples = examplesIn(yaml);
  const texts = [...(taughtMessages.get(bot) ?? [])].filter((text) => examples.has(text));
  if (texts.length === 0) return { texts, undo: () => Promise.resolve() };
  const body: SetAside = { bot, as: "taught", texts };
  await ask("POST /improve/set-aside", { body });
  return { texts, undo: () => ask("DELETE /improve/set-aside", { body }) };
}

function examplesIn(yaml: string): Set<unknown> {
  const intents = valueAt(readValue(yaml), ["intents"]);
  const found = new Set<unknown>();
  for (const intent of Array.isArray(intents) ? intents : []) {
    const examples = isFields(intent) ? intent["examples"] : undefined;
    for (const example of Array.isArray(examples) ? examples : []) found.add(example);
  }
  return found;
}
