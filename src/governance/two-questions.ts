import type { Permission } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { JudgedPart, JudgedParts } from "./parts/judge-parts.ts";
import type { GovernancePolicy } from "./policy.ts";
import type { CompiledProfile } from "./profile/capability-profile.ts";

/**
 * Confidence from which a part is clearly a question of its own. Chosen on the tuning bots of `npm run bench:realistic`: with 0.5,
 * fewer of two questions are both answered; lower, more stories with one request in them are answered twice.
 */
const CLEAR = 0.4;

/** Two parts that are clear, each of another allowed intent that can be answered beside another. */
export function decideTwoQuestions(
  judged: JudgedParts | undefined,
  policy: Pick<GovernancePolicy, "joinable">,
  profile: CompiledProfile,
): Permission | undefined {
  if (judged === undefined) return undefined;
  const [first, second] = judged.parts.map((part) => clearIntentOf(part));
  if (first === undefined || second === undefined || first === second) return undefined;
  const areAnswerable = [first, second].every(
    (intent) => profile.standingOf(intent) === "allowed" && policy.joinable.has(intent),
  );
  return areAnswerable
    ? { kind: "allowed", intent: first, alsoIntents: [second], rule: "two-questions" }
    : undefined;
}

/** What an answer to one part leaves open: the other part, where it asks for something and is clearly none of the bot's intents. */
export function unansweredPart(judged: JudgedParts | undefined, answered: IntentName): string | undefined {
  const open = openPart(judged, answered);
  return open !== undefined && open.classification.inScope < LEFT_OPEN ? open.text : undefined;
}

/**
 * The part that an answer to the other one does not speak to, as far as the intents tell. A part that tells something ("I ordered on
 * Monday") is no question.
 */
export function openPart(judged: JudgedParts | undefined, answered: IntentName): JudgedPart | undefined {
  if (judged === undefined) return undefined;
  const [first, second] = judged.parts;
  const isFirstClearer = first.classification.confidence >= second.classification.confidence;
  const [clearer, open] = isFirstClearer ? [first, second] : [second, first];
  if (clearIntentOf(clearer) !== answered) return undefined;
  const intent = clearIntentOf(open);
  if (intent !== undefined && (intent !== answered || open.classification.confidence >= SURELY_THE_SAME))
    return undefined;
  const asks = open.text.includes("?") || (open === second && judged.isJoined);
  return asks && open.hasSubject ? open : undefined;
}

/** From this confidence on, both parts ask the same. Below, documents may answer one of them; the default match threshold, too. */
const SURELY_THE_SAME = 0.6;

/**
 * From this chance of being in scope on, the other part may well be answered with the first ("… and until when?"). What the first sample bots
 * were asked beside a known question ("and who won the world cup?") stays below 0.1.
 */
const LEFT_OPEN = 0.15;

function clearIntentOf({ classification: { scores, confidence } }: JudgedPart): IntentName | undefined {
  return confidence >= CLEAR ? scores[0]?.intent : undefined;
}
