import type { BotDocument, BotProblem, BotRule } from "../domain/bot.ts";
import type { IntentName } from "../domain/ids.ts";
import type { Standing } from "../domain/intent-pattern.ts";
import { SOCIAL_KINDS, type SocialKind } from "../domain/texts.ts";
import type { SocialContext } from "../social/read-courtesies.ts";
import { recogniseSocialTurn } from "../social/social-turn.ts";
import { languageOfBot } from "../texts/bot-wording.ts";
import { type CompiledProfile, compileCapabilityProfile } from "./profile/capability-profile.ts";

/** How a bot handles small talk; compiled when the bot is loaded. */
export interface SocialPolicy {
  /** The bot's own intents that replace built-in ones; computed at the first small talk, because it reads every example. */
  readonly ownIntents: ReadonlyMap<SocialKind, IntentName>;
  /** The profile's decision about a built-in small-talk intent. An allow list need not name them, but an empty one allows nothing. */
  standingOf(intent: IntentName): Standing;
}

/** The intent name of a small-talk turn. */
export function socialIntentOf(kind: SocialKind): IntentName {
  return `social.${kind}` as IntentName;
}

/** Whether a turn was small talk; also true for an intent of the bot with such a name. */
export function isSocialIntent(intent: IntentName): boolean {
  return intent.startsWith("social.");
}

/** Small talk is off with `social: false`, and if the bot has an output schema that such answers would not satisfy. */
export const takesSocialTurns = ({ social, outputSchema }: BotDocument): boolean =>
  social ?? outputSchema === undefined;

/** Without small talk, asking for a person is recognised only by an intent of the bot. */
export const checkUnheardWishes: BotRule = (bot) => {
  const { handoff, intents = [] } = bot;
  const isHeard = takesSocialTurns(bot) || intents.some((intent) => intent.handoff === true);
  if (isHeard || handoff?.offer?.includes("asked") !== true) return [];
  const message =
    "social turns are off in this bot, so that nobody who asks for a person is understood; give an intent `handoff: true`, or say `social: true`";
  return [{ pointer: "/handoff/offer", message, severity: "warning" }];
};

/** Names of kinds in warnings. */
const IN_WORDS: Partial<Record<SocialKind, string>> = {
  greeting: "a greeting",
  thanks: "thanks",
  goodbye: "a goodbye",
};

/** Warns of examples that are small talk: the intent answers exactly this message, but no other of its kind. */
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

/** Undefined if small talk is off. */
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
 * An intent replaces a kind by its name. A denied intent also does if an example is only small talk of that kind. For asking for a person,
 * any intent does with such an example; an allowed one with `handoff: true` has precedence, and if it is the only one, its examples do not
 * matter.
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

/** In the bot's language: an example in another language may ask for somebody who speaks it. */
function kindsIn(text: string, addressing: SocialContext): SocialKind[] {
  const turn = recogniseSocialTurn(text, addressing);
  return turn?.language === addressing.language ? [turn!.kind] : [];
}
