import type { BotDocument, BotProblem, BotRule } from "../domain/bot.ts";
import type { IntentName } from "../domain/ids.ts";
import type { Standing } from "../domain/intent-pattern.ts";
import { SOCIAL_KINDS, type SocialKind } from "../domain/texts.ts";
import type { SocialContext } from "../social/read-courtesies.ts";
import { recogniseSocialTurn } from "../social/social-turn.ts";
import { languageOfBot } from "../texts/bot-language.ts";
import { type CompiledProfile, compileCapabilityProfile } from "./profile/capability-profile.ts";

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

/** They are off by `social: false`, and where the whole bot has an output schema that such an answer could not satisfy. */
export const takesSocialTurns = ({ social, outputSchema }: BotDocument): boolean =>
  social ?? outputSchema === undefined;

/** Without social turns, who asks for a person is understood by an intent of the bot's own alone. */
export const checkUnheardWishes: BotRule = (bot) => {
  const { handoff, intents = [] } = bot;
  const isHeard = takesSocialTurns(bot) || intents.some((intent) => intent.handoff === true);
  if (isHeard || handoff?.offer?.includes("asked") !== true) return [];
  const message =
    "social turns are off in this bot, so that nobody who asks for a person is understood; give an intent `handoff: true`, or say `social: true`";
  return [{ pointer: "/handoff/offer", message, severity: "warning" }];
};

/** What a kind is called in a warning. */
const IN_WORDS: Partial<Record<SocialKind, string>> = {
  greeting: "a greeting",
  thanks: "thanks",
  goodbye: "a goodbye",
};

/** Warns of examples that are read as a greeting, thanks or a goodbye: the intent answers that very message, and no other of its kind. */
export const checkCourteousExamples: BotRule = (bot) => {
  if (!takesSocialTurns(bot)) return [];
  const addressing: SocialContext = { language: languageOfBot(bot), botName: bot.name };
  const profile = compileCapabilityProfile(bot.capabilityProfile);
  return (bot.intents ?? []).flatMap(({ name, examples = [] }, i) =>
    kindsOf(name).length > 0 || profile.standingOf(name) === "denied"
      ? []
      : examples.flatMap((text, j): BotProblem[] => {
          const [kind] = kindsIn(text, addressing);
          const words = kind && IN_WORDS[kind];
          if (words === undefined) return [];
          const message = `\`${text}\` reads as ${words}: who writes just that gets \`${name}\`, and any other wording the bot's own answer; an intent named \`${socialIntentOf(kind!)}\` answers all of them`;
          return [{ pointer: `/intents/${i}/examples/${j}`, message, severity: "warning" }];
        }),
  );
};

/** Undefined where social turns are off. */
export function compileSocialPolicy(
  document: BotDocument,
  profile: CompiledProfile,
  addressing: SocialContext,
): SocialPolicy | undefined {
  if (!takesSocialTurns(document)) return undefined;
  const allowsNothing = document.capabilityProfile?.allow?.length === 0;
  let ownIntents: ReadonlyMap<SocialKind, IntentName> | undefined;
  return {
    get ownIntents() {
      return (ownIntents ??= ownIntentsOf(document, profile, addressing));
    },
    standingOf(intent) {
      if (profile.standingOf(intent) === "denied") return "denied";
      return allowsNothing ? "unlisted" : "allowed";
    },
  };
}

/**
 * An intent takes over a kind by its name. A denied one does by an example that is nothing but a turn of that kind, too. For who asks for a person, any intent does by such an example; an allowed one with `handoff: true` goes before others, whatever its
 * examples are where the bot has just one.
 */
function ownIntentsOf(
  { intents = [] }: BotDocument,
  profile: CompiledProfile,
  addressing: SocialContext,
): Map<SocialKind, IntentName> {
  const taking = intents.map(({ name, examples = [], handoff }) => {
    const standing = profile.standingOf(name);
    const byExample = examples.flatMap((text) => kindsIn(text, addressing));
    const taken = byExample.filter((kind) => standing === "denied" || kind === "person");
    return {
      name,
      kinds: new Set([...kindsOf(name), ...taken]),
      isOffering: handoff === true && standing === "allowed",
    };
  });
  const offering = taking.filter(({ isOffering }) => isOffering);
  const own = new Map<SocialKind, IntentName>();
  for (const kind of SOCIAL_KINDS) {
    const candidates = kind === "person" ? [...offering, ...taking] : taking;
    const first = candidates.find(({ kinds }) => kinds.has(kind));
    if (first !== undefined) own.set(kind, first.name);
  }
  const [only, ...others] = offering;
  if (only !== undefined && others.length === 0 && !own.has("person")) own.set("person", only.name);
  return own;
}

function kindsOf(name: IntentName): SocialKind[] {
  return SOCIAL_KINDS.filter((kind) => name === socialIntentOf(kind));
}

/** In the bot's language: an example in another asks for somebody who speaks it. */
function kindsIn(text: string, addressing: SocialContext): SocialKind[] {
  const turn = recogniseSocialTurn(text, addressing);
  return turn?.language === addressing.language ? [turn!.kind] : [];
}
