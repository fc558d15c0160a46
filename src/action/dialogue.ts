import {
  type ActionMemory,
  type ActionReceipt,
  type OpenQuestion,
  PROOF_MS,
  type Slot,
  type SlotSource,
  type SlotValue,
  withoutProofs,
} from "../domain/action.ts";
import type { ConversationHistory, PastTurn } from "../domain/conversation.ts";
import type { Decision, DecisionRule } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { EpochMs } from "../domain/time.ts";
import type { BotActions, CompiledAction } from "./compile-action.ts";
import { isValue, NEEDS_ASKING, readSlot } from "./slots/read-slot.ts";
import { readYesOrNo, saysNeverMind } from "./slots/read-yes-or-no.ts";
import type { ReadingContext, SlotReading } from "./slots/slot-reading.ts";
import { placeholdersIn } from "./template.ts";

/** Validity of a confirmation, in milliseconds. */
export const CONFIRMATION_MS = 10 * 60_000;
/** Invalid replies in a row after which a person is offered. */
export const WRONG_UNTIL_PERSON = 2;

/** A message with its circumstances. */
export interface Heard {
  actions: BotActions;
  text: string;
  /** The decision regardless of the open question. */
  decision: Decision;
  /** Whether it asks for a person, or is a goodbye. */
  wishes: "person" | "goodbye" | undefined;
  /** The conversation's state: `rememberedAt`. */
  memory: ActionMemory | undefined;
  now: EpochMs;
  /** The visitor's earlier messages, latest first, without denied ones. */
  earlier: readonly string[];
  /** Whether the profile allows the action's intent in this conversation. */
  isAllowed: (intent: IntentName) => boolean;
}

type Filled = NonNullable<ActionReceipt["filled"]>;
type Values = ActionMemory["values"];

/** A turn's step for an action, with the state after the turn, before any call. */
export type Step = { memory: ActionMemory; filled: Filled } & (
  | { kind: "none" }
  /** The message is answered otherwise, and the question is repeated after the answer. */
  | { kind: "aside"; open: OpenQuestion }
  | { kind: "ask"; intent: IntentName; slot: Slot; wrong?: "wrong" | "several" }
  | { kind: "confirm"; intent: IntentName; isWrong?: true }
  /** With the confirmation, if one was required. */
  | { kind: "call"; intent: IntentName; confirmed?: NonNullable<OpenQuestion["confirm"]> }
  | { kind: "end"; intent: IntentName; why: NonNullable<ActionReceipt["ended"]> }
);

/** The step for a message. Pure. */
export function nextStep(heard: Heard): Step {
  const { decision, wishes, memory = { values: {} } } = heard;
  const open = openIn(memory, heard);
  const known = { values: memory.values, ...(open && { open }) };
  // A denied message fills no slot, and the question stays open.
  if (isDenied(decision)) return { kind: "none", memory: known, filled: [] };
  if (wishes !== undefined) return left(known, wishes, heard);
  return open === undefined ? beginning(known.values, heard) : goingOn(known.values, open, heard);
}

function isDenied(decision: Decision): boolean {
  const { reason } = decision.kind === "restricted" ? decision : (decision.wouldRestrict ?? {});
  return reason === "DENY_LIST";
}

/** The parts of a conversation that decide which values are still known. */
interface RememberingConversation extends Pick<ConversationHistory, "handoffAt"> {
  turns: readonly Pick<PastTurn, "at" | "action">[];
}

/**
 * The conversation's state for actions, from the latest turn that has one. A question is open only directly after its turn, and no longer once a
 * hand-off was requested or changed. After a long silence of the visitor, neither a question nor values of proofs are kept, whatever
 * messages follow. Pure.
 */
export function rememberedAt(
  { turns, handoffAt }: RememberingConversation,
  now: EpochMs,
): ActionMemory | undefined {
  const known = turns.findLastIndex(({ action }) => action !== undefined);
  const memory = turns[known]?.action;
  if (memory === undefined) return undefined;
  const times = [...turns.slice(known).map(({ at }) => at), now];
  const isOld = times.some((at, index) => index > 0 && at - times[index - 1]! > PROOF_MS);
  const isLatest = known === turns.length - 1 && (handoffAt === undefined || handoffAt < turns[known]!.at);
  const values = isOld ? withoutProofs(memory.values) : memory.values;
  return { values, ...(!isOld && isLatest && memory.open && { open: memory.open }) };
}

function filterValues(values: Values, keeps: (value: SlotValue, name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name, value]) => keeps(value, name)));
}

/** The open question, if the bot's newest version still asks it. */
function openIn({ open }: ActionMemory, { actions, isAllowed }: Heard): OpenQuestion | undefined {
  const action = open && actions.byIntent.get(open.intent);
  if (action === undefined || !isAllowed(open!.intent)) return undefined;
  const { slot } = open!;
  return slot === undefined || action.slots.some(({ name }) => name === slot) ? open : undefined;
}

/** After a goodbye, the visitor's proof is deleted. */
function left(known: ActionMemory, wishes: "person" | "goodbye", heard: Heard): Step {
  const values = withoutOnce(known.values);
  const kept = wishes === "goodbye" ? withoutProofs(values) : values;
  const memory = { values: kept };
  if (known.open === undefined) return { kind: "none", memory, filled: [] };
  // The message itself is answered, with the offer of a person or a goodbye.
  const { intent } = known.open;
  return heard.decision.kind === "allowed" || wishes === "person"
    ? { kind: "end", intent, why: wishes, memory, filled: [] }
    : { kind: "none", memory, filled: [] };
}

/** Removes values that are asked for each time. Pure. */
export function withoutOnce(values: Values): Values {
  return filterValues(values, ({ isOnce }) => !isOnce);
}

function contextOf({ actions, now }: Heard, isAsked: boolean): ReadingContext {
  return { ...actions.wording, now, isAsked };
}

/** Starts an action: looks for its values in the message and in earlier ones. */
function beginning(values: Values, heard: Heard): Step {
  const { decision, actions, earlier, text } = heard;
  const action = decision.kind === "allowed" ? actions.byIntent.get(decision.intent) : undefined;
  const isOne = decision.kind === "allowed" && decision.alsoIntents === undefined;
  if (action === undefined || !isOne) return { kind: "none", memory: { values }, filled: [] };
  const usable = usableFor(action, withoutOnce(values));
  const here = found(text, action, heard, { source: "message", numbersToo: true });
  const then = earlier.map((before) =>
    found(before, action, heard, { source: "earlier", numbersToo: false }),
  );
  const all: Values = Object.assign({}, ...then.toReversed(), usable, here);
  return advance(action, { ...values, ...all }, filledBy(values, all));
}

/** Values that are valid for this action's slots: another intent may have another pattern for the same name. */
function usableFor({ slots }: CompiledAction, values: Values): Values {
  return filterValues(values, ({ type, value }, name) => {
    const slot = slots.find((one) => one.name === name);
    return slot !== undefined && slot.remember !== false && slot.type === type && isValue(value, slot);
  });
}

/** Asks whether an ambiguous value was read correctly, then for missing values, then for confirmation, and then calls. */
function advance(action: CompiledAction, values: Values, filled: Filled): Step {
  const { intent } = action;
  const doubtful = action.slots.find(
    ({ name }) => values[name]?.doubt === "ask" && !isConfirmedWith(action, name),
  );
  const isMissing = (each: Slot) => each.optional !== true && !isGiven(each, values[each.name]);
  const slot = doubtful ?? action.slots.find(isMissing);
  if (slot !== undefined) {
    const readsBack = doubtful && { readsBack: true as const };
    const open = { intent, slot: slot.name, ...readsBack, wrong: 0 };
    return { kind: "ask", intent, slot, memory: { values, open }, filled };
  }
  const kind = action.confirm === undefined ? "call" : "confirm";
  return { kind, intent, memory: { values }, filled };
}

/** Whether the confirmation question contains the value. */
function isConfirmedWith({ confirm }: CompiledAction, slot: string): boolean {
  return (
    confirm !== undefined && placeholdersIn(confirm).some(({ of, path }) => of === "slot" && path[0] === slot)
  );
}

const isGiven = (slot: Slot, given: SlotValue | undefined): boolean =>
  given !== undefined && given.type === slot.type && isValue(given.value, slot);

interface Finding {
  source: SlotSource;
  /** Whether bare figures may be values. */
  numbersToo: boolean;
  /** The slot that was asked for. */
  asked?: Slot;
  /** Known values, which are skipped if there is another: "not 48213 but 48214". */
  known?: Values;
}

/** The values in a text by slot: one each, and none that fits two slots. */
function found(text: string, action: CompiledAction, heard: Heard, finding: Finding): Values {
  const { source, numbersToo, asked, known = {} } = finding;
  const readings = action.slots
    .filter((slot) => slot !== asked && (numbersToo || !NEEDS_ASKING.has(slot.type)))
    .flatMap((slot) => {
      const all = readSlot(text, slot, contextOf(heard, false));
      const [one, ...others] = newAmong(all, known[slot.name]);
      return one === undefined || others.length > 0 ? [] : [{ slot, reading: one }];
    });
  const isShared = ({ slot, reading }: (typeof readings)[number]) =>
    readings.some(
      (other) =>
        other.slot !== slot &&
        (other.reading.value === reading.value ||
          (NEEDS_ASKING.has(slot.type) && other.reading.value.includes(reading.value))),
    );
  return Object.fromEntries(
    readings
      .filter((reading) => !isShared(reading))
      .map(({ slot, reading }) => [slot.name, valueOf(slot, action, reading, source)]),
  );
}

function valueOf(
  slot: Slot,
  { proof }: CompiledAction,
  { value, doubt }: SlotReading,
  from: SlotSource,
): SlotValue {
  return {
    type: slot.type,
    value,
    from,
    ...(proof.has(slot.name) && { isProof: true as const }),
    ...(slot.remember === false && { isOnce: true as const }),
    ...(doubt && { doubt }),
  };
}

/** Values that are new or have changed. */
function filledBy(before: Values, after: Values): Filled {
  return Object.entries(after)
    .filter(([name, { value }]) => before[name]?.value !== value)
    .map(([slot, { from }]) => ({ slot, from }));
}

/** The step for a message while a question is open. */
function goingOn(values: Values, open: OpenQuestion, heard: Heard): Step {
  const { text, actions, now } = heard;
  const action = actions.byIntent.get(open.intent)!;
  const nothing = { memory: { values, open }, filled: [] };
  if (open.answered !== undefined) return afterAnswer(values, open, action, heard);
  if (saysNeverMind(text)) return cancelled(values, open);
  const asked = action.slots.find(({ name }) => name === open.slot);
  const reads = () => readYesOrNo(text, actions.wording.language);
  const says = open.confirm === undefined ? undefined : reads();
  if (open.confirm !== undefined && says !== undefined) {
    if (says === "no") return cancelled(values, open);
    const missing = advance(action, values, []);
    if (missing.kind === "ask") return missing;
    const isOver = now - open.confirm.at > CONFIRMATION_MS;
    return isOver
      ? { kind: "confirm", intent: open.intent, memory: { values }, filled: [] }
      : { kind: "call", intent: open.intent, confirmed: open.confirm, ...nothing };
  }
  const answer = open.readsBack && reads();
  if (asked && answer) return advance(action, readBack(values, asked.name, answer), []);
  const replies = asked ? newAmong(readSlot(text, asked, contextOf(heard, true)), values[asked.name]) : [];
  const others = found(text, action, heard, {
    source: "reply",
    numbersToo: false,
    known: values,
    ...(asked && { asked }),
  });
  const isOther = isAnotherQuestion(heard.decision, open.intent);
  if (isOther && !isLikelyData(text, asked, replies, others)) return aside(values, open, heard);
  const given = {
    ...filterValues(others, ({ value }) => !replies.some((reply) => reply.value === value)),
    ...(asked && replies.length === 1 && { [asked.name]: valueOf(asked, action, replies[0]!, "reply") }),
  };
  const filled = filledBy(values, given);
  if (filled.length > 0) return advance(action, { ...values, ...given }, filled);
  if (asked !== undefined && replies.length === 1) return advance(action, { ...values, ...given }, []);
  if (asked !== undefined && asked.type !== "yesno" && reads() === "no") return cancelled(values, open);
  return askAgain(values, open, { asked, isSeveral: replies.length > 1 }, heard);
}

/** Keeps or removes a value that was read back. */
function readBack(values: Values, slot: string, answer: "yes" | "no"): Values {
  const { [slot]: value, ...others } = values;
  if (answer === "no" || value === undefined) return others;
  const { doubt: _, ...sure } = value;
  return { ...others, [slot]: sure };
}

/** New values repeat the call ("no, 48214"). Values of a failed proof are not reused. */
function afterAnswer(values: Values, open: OpenQuestion, action: CompiledAction, heard: Heard): Step {
  const given = found(heard.text, action, heard, { source: "reply", numbersToo: false, known: values });
  const filled = filledBy(values, given);
  const isAnother = isAnotherQuestion(heard.decision, open.intent);
  if (filled.length > 0 && !isAnother) return advance(action, { ...values, ...given }, filled);
  const kept = open.answered === "failed" ? withoutProofs(values) : values;
  return beginning(kept, heard);
}

function cancelled(values: Values, { intent }: OpenQuestion): Step {
  return { kind: "end", intent, why: "cancelled", memory: { values: withoutOnce(values) }, filled: [] };
}

/** Of several values, the new ones: "not 48213 but 48214". */
function newAmong(readings: readonly SlotReading[], known: SlotValue | undefined): readonly SlotReading[] {
  return readings.length < 2 ? readings : readings.filter(({ value }) => value !== known?.value);
}

/** Rules by which a message is a request of its own. */
const OWN_REQUEST: ReadonlySet<DecisionRule> = new Set([
  "best-intent",
  "clearest-clause",
  "two-questions",
  "knowledge",
  "social",
]);
/** "ok", "yes" and "no" are replies. */
const REPLY = "social.acknowledge";

function isAnotherQuestion(decision: Decision, asked: IntentName): boolean {
  if (decision.intent === undefined || decision.intent === asked || decision.intent === REPLY) return false;
  return OWN_REQUEST.has(decision.rule);
}

/** Whether a value is likely data, rather than words of a request that fit a wide pattern. */
function isLikelyData(
  text: string,
  asked: Slot | undefined,
  replies: readonly SlotReading[],
  others: Values,
): boolean {
  const isWide = asked?.type === "text" && replies.some(({ value }) => !/\p{Nd}/u.test(value));
  const isReply = replies.length > 0 && !isWide;
  // A request may contain a number, too ("and cancel order 48213"): a value has few words around it.
  const words = text.match(/\p{L}{2,}/gu)?.length ?? 0;
  return (isReply || Object.keys(others).length > 0) && words <= 3;
}

/** Another request: an action replaces the current one; anything else is answered, and the question is repeated. */
function aside(values: Values, open: OpenQuestion, heard: Heard): Step {
  const { decision, actions } = heard;
  if (decision.kind === "allowed" && actions.byIntent.has(decision.intent)) return beginning(values, heard);
  const memory = { values, open };
  return decision.kind === "allowed"
    ? { kind: "aside", open, memory, filled: [] }
    : { kind: "none", memory, filled: [] };
}

/** Repeats the question after an invalid reply. A repeated request for the same action does not count as one. */
function askAgain(
  values: Values,
  open: OpenQuestion,
  { asked, isSeveral }: { asked: Slot | undefined; isSeveral: boolean },
  { decision }: Heard,
): Step {
  const isSame = decision.intent === open.intent && OWN_REQUEST.has(decision.rule);
  const memory = { values, open: { ...open, wrong: open.wrong + (isSame ? 0 : 1) } };
  if (asked === undefined) {
    return { kind: "confirm", intent: open.intent, memory, filled: [], ...(!isSame && { isWrong: true }) };
  }
  const wrong = isSeveral ? ("several" as const) : ("wrong" as const);
  return { kind: "ask", intent: open.intent, slot: asked, memory, filled: [], ...(!isSame && { wrong }) };
}
