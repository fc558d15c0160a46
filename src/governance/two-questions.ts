import type { Permission } from "../domain/decision.ts";
import type { IntentName } from "../domain/ids.ts";
import type { JudgedPart, JudgedParts } from "./parts/judge-parts.ts";
import type { GovernancePolicy } from "./policy.ts";
import type { CompiledProfile } from "./profile/capability-profile.ts";

/**
 * Minimum confidence at which a part is a question of its own. Chosen on the tuning bots of `npm run bench:realistic`: with 0.5, two
 * questions are less often both answered; with lower values, more stories with one request get two answers.
 */
const CLEAR = 0.4;

/** Two clear parts, each with a different allowed intent that can be answered together with another. */
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

/** The part that an answer leaves open: the other part, if it asks for something and matches none of the bot's intents. */
export function unansweredPart(judged: JudgedParts | undefined, answered: IntentName): string | undefined {
  const open = openPart(judged, answered);
  return open !== undefined && open.classification.inScope < LEFT_OPEN ? open.text : undefined;
}

/** The part not covered by the answer to the other one, as far as intents tell. A statement ("I ordered on Monday") is not a question. */
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

/** Minimum confidence at which both parts ask the same; also the default match threshold. Below it, documents may answer one of them. */
const SURELY_THE_SAME = 0.6;

/**
 * Minimum in-scope probability at which the other part may be covered by the answer to the first ("… and until when?"). Unrelated questions
 * beside a known one ("and who won the world cup?") stay below 0.1 on the first sample bots.
 */
const LEFT_OPEN = 0.15;

function clearIntentOf({ classification: { scores, confidence } }: JudgedPart): IntentName | undefined {
  return confidence >= CLEAR ? scores[0]?.intent : undefined;
}
