import type { BotDocument } from "../domain/bot.ts";
import type { IntentName } from "../domain/ids.ts";
import type { Standing } from "../domain/intent-pattern.ts";
import { SOCIAL_KINDS, type SocialKind } from "../domain/texts.ts";
import { recogniseSocialTurn } from "../social/social-turn.ts";
import type { CompiledProfile } from "./profile/capability-profile.ts";

/** How a bot takes greetings, thanks and the like; compiled once when the bot is loaded. */
export interface SocialPolicy {
  /** Intents of the bot's own that take the place of the built-in ones; found at the first social turn, as every example is read for it. */
  readonly ownIntents: ReadonlyMap<SocialKind, IntentName>;
  /** What the profile says of a built-in social intent. An allow list need not name them; an empty one allows nothing. */
  standingOf(intent: IntentName): Standing;
}

/** The name under which a social turn is answered. */
export function socialIntentOf(kind: SocialKind): IntentName {
  return `social.${kind}` as IntentName;
}

/** Whether a turn was a social one; an intent of the bot's own with such a name counts as one. */
export function isSocialIntent(intent: IntentName): boolean {
  return intent.startsWith("social.");
}

/**
 * Undefined where social turns are off: by `social: false`, or where the whole bot has an output schema that such an answer could not
 * satisfy.
 */
export function compileSocialPolicy(
  document: BotDocument,
  profile: CompiledProfile,
): SocialPolicy | undefined {
  if (!(document.social ?? document.outputSchema === undefined)) return undefined;
  const allowsNothing = document.capabilityProfile?.allow?.length === 0;
  let ownIntents: ReadonlyMap<SocialKind, IntentName> | undefined;
  return {
    get ownIntents() {
      return (ownIntents ??= ownIntentsOf(document));
    },
    standingOf(intent) {
      if (profile.standingOf(intent) === "denied") return "denied";
      return allowsNothing ? "unlisted" : "allowed";
    },
  };
}

/** An intent takes over a kind by its name, or by an example that is nothing but a turn of that kind. */
function ownIntentsOf(document: BotDocument): Map<SocialKind, IntentName> {
  const own = new Map<SocialKind, IntentName>();
  for (const { name, examples = [] } of document.intents ?? []) {
    for (const kind of new Set([...kindsOf(name), ...examples.flatMap((text) => kindsIn(text, document))])) {
      if (!own.has(kind)) own.set(kind, name);
    }
  }
  return own;
}

function kindsOf(name: IntentName): SocialKind[] {
  return SOCIAL_KINDS.filter((kind) => name === socialIntentOf(kind));
}

function kindsIn(text: string, { language, name }: BotDocument): SocialKind[] {
  const turn = recogniseSocialTurn(text, { language, botName: name });
  return turn === undefined ? [] : [turn.kind];
}
