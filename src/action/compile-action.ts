import type { ActionAnswer, ActionMethod, ActionSettings, Slot } from "../domain/action.ts";
import { type BotDocument, withBotName } from "../domain/bot.ts";
import type { IntentName } from "../domain/ids.ts";
import { languageOfBot } from "../texts/bot-wording.ts";
import { fillTemplate, parseTemplate, type Template } from "./template.ts";
import type { Wording } from "./wording.ts";

/** An action with its texts parsed. */
export interface CompiledAction {
  intent: IntentName;
  endpoint: string;
  method: ActionMethod;
  slots: readonly Slot[];
  proof: ReadonlySet<string>;
  /** The parts before and after the `?`. */
  path: Template;
  query: Template | undefined;
  body: Record<string, unknown> | undefined;
  /** Absent for a GET without confirmation. */
  confirm?: Template;
  answers: readonly (Omit<ActionAnswer, "say"> & { say: Template })[];
  failure: string;
}

/** The actions of a bot by intent, with its settings for wording values. */
export interface BotActions {
  byIntent: ReadonlyMap<IntentName, CompiledAction>;
  wording: Wording;
}

const compiled = new WeakMap<BotDocument, BotActions>();

/** The actions of a bot; compiled at the first use, and cached as long as the document. */
export function actionsOf(document: BotDocument): BotActions {
  const known = compiled.get(document);
  if (known) return known;
  const byIntent = new Map(
    (document.intents ?? []).flatMap(({ name, action, slots = [] }) =>
      action === undefined ? [] : [[name, compileAction(document, name, action, slots)] as const],
    ),
  );
  const { language, timezone, handoff } = document;
  const actions: BotActions = {
    byIntent,
    wording: {
      language: language ?? languageOfBot(document),
      timeZone: timezone ?? handoff?.hours?.timezone ?? "UTC",
    },
  };
  compiled.set(document, actions);
  return actions;
}

function compileAction(
  { name }: BotDocument,
  intent: IntentName,
  { endpoint, method = "GET", path, body, proof = [], confirm, answers, failure }: ActionSettings,
  slots: readonly Slot[],
): CompiledAction {
  // A brace in the bot's name is literal.
  const textOf = (text: string) => parseTemplate(withBotName(text, name.replaceAll("{", "{{")));
  const plainOf = (text: string) => fillTemplate(textOf(text), ({ written }) => written)!;
  const at = path.indexOf("?");
  return {
    intent,
    endpoint,
    method,
    slots: slots.map((slot) => (slot.ask === undefined ? slot : { ...slot, ask: plainOf(slot.ask) })),
    proof: new Set(proof),
    path: parseTemplate(at < 0 ? path : path.slice(0, at)),
    query: at < 0 ? undefined : parseTemplate(path.slice(at + 1)),
    body,
    ...(confirm !== undefined && { confirm: textOf(confirm) }),
    answers: answers.map((answer) => ({ ...answer, say: textOf(answer.say) })),
    failure: plainOf(failure),
  };
}
