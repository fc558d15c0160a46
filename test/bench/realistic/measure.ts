import type { BotDocument } from "../../../src/domain/bot.ts";
import type { RehearsedTurn } from "../../../src/operate/rehearsal.ts";
import type { VisitorMessage } from "./messages.ts";

/** The outcome of a message, as its visitor saw it. */
export type Outcome =
  /** Answered rightly: with the right intent, as the right social turn, or both questions. */
  | "right"
  /** Asked back, with the right intent among the choices. */
  | "asked-right"
  /** Asked back without it. */
  | "asked"
  | "wrong"
  | "denied"
  | "not-understood";

export interface MeasuredMessage {
  message: VisitorMessage;
  outcome: Outcome;
  /** The found intent or kind. */
  got: string;
  /** Milliseconds from the text to the decision. */
  judgedMs: number;
}

/** A conversation with one bot. */
export interface Talk {
  say(input: string): Promise<RehearsedTurn>;
  startOver(): void;
}

/** Sends each message as the first of a conversation, and a follow-up as the second. */
export async function measureMessages(
  talk: Talk,
  document: BotDocument,
  messages: readonly VisitorMessage[],
): Promise<MeasuredMessage[]> {
  const measured: MeasuredMessage[] = [];
  for (const message of messages) {
    talk.startOver();
    if (message.kind === "follow-up") await talk.say(exampleOf(document, message.previous));
    const turn = await talk.say(message.text);
    measured.push({
      message,
      outcome: outcomeOf(message, turn, document),
      got: takenFor(turn),
      judgedMs: judgedMsOf(turn),
    });
  }
  return measured;
}

/** The longest example: the surest to get its intent. */
function exampleOf({ intents = [] }: BotDocument, name: string): string {
  const examples = intents.find((intent) => intent.name === name)?.examples ?? [];
  if (examples.length === 0) throw new Error(`${name} has no examples to lead up to a follow-up`);
  return examples.reduce((longest, example) => (example.length > longest.length ? example : longest));
}

function outcomeOf(message: VisitorMessage, turn: RehearsedTurn, document: BotDocument): Outcome {
  const { answer } = turn;
  const { capabilityAllowed, enforcementReason } = answer.metadata;
  const choices = suggestionsOf(turn);
  const wanted = wantedIntents(message);
  if (enforcementReason === "DENY_LIST" || enforcementReason === "NOT_IN_ALLOW_LIST") return "denied";
  if (message.kind === "two") return outcomeOfTwo(answer.response, message.intents, document, choices);
  if (capabilityAllowed) return wanted.includes(answer.intentDetected ?? "") ? "right" : "wrong";
  if (choices.length === 0) return "not-understood";
  return choices.some((choice) => wanted.includes(choice)) ? "asked-right" : "asked";
}

function wantedIntents(message: VisitorMessage): readonly string[] {
  if (message.kind === "two") return message.intents;
  return "intent" in message ? [message.intent] : [];
}

/** Both questions count as answered if the response contains a response of each. */
function outcomeOfTwo(
  response: string,
  intents: readonly string[],
  document: BotDocument,
  choices: readonly string[],
): Outcome {
  const answered = intents.filter((name) => isAnsweredIn(response, name, document));
  if (answered.length === intents.length) return "right";
  if (choices.length > 0) return intents.every((name) => choices.includes(name)) ? "asked-right" : "asked";
  return answered.length > 0 ? "wrong" : "not-understood";
}

function isAnsweredIn(response: string, name: string, { intents = [], name: botName }: BotDocument): boolean {
  const responses = intents.find((intent) => intent.name === name)?.responses ?? [];
  return responses.some((text) => response.includes(text.replaceAll("{botName}", botName)));
}

function suggestionsOf({ receipt }: RehearsedTurn): readonly string[] {
  return (receipt.suggestions ?? []).map(({ intent }) => intent);
}

function takenFor(turn: RehearsedTurn): string {
  const { answer, receipt } = turn;
  const { intentDetected = "-", metadata } = answer;
  const asked = suggestionsOf(turn).join(" | ");
  return `${intentDetected} ${metadata.enforcementReason ?? ""} ${receipt.rule}${asked && ` ? ${asked}`}`;
}

const JUDGING_STAGES = ["classify", "understand", "decide"];

function judgedMsOf({ receipt }: RehearsedTurn): number {
  return JUDGING_STAGES.reduce((sum, stage) => sum + (receipt.stagesMs[stage] ?? 0), 0);
}
