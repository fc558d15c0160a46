import { SOCIAL_KINDS, type SocialKind, type TextLanguage } from "../domain/texts.ts";
import { type MessageWord, wordsOfMessage } from "../text/phrases/message-words.ts";
import { type Cover, MAX_WORDS } from "../text/phrases/phrase-reader.ts";
import { exactTurnOf } from "./exact-phrases.ts";
import { type CourtesySearch, languagesFrom, readingsOf, type SocialContext } from "./read-courtesies.ts";
import type { SocialSection } from "./social-phrases.ts";

/** A message without any request. */
export interface SocialTurn {
  kind: SocialKind;
  /** Whether it says yes or no, and may answer a question of the bot. */
  says?: "yes" | "no";
  /** The language of the message. */
  language: TextLanguage;
}

/** A longer message is hardly ever small talk only. Chosen by hand. */
const MAX_CHARACTERS = 200;

const WHOLE: CourtesySearch = { withTypos: true, whole: true };
const WHOLE_AS_WRITTEN: CourtesySearch = { ...WHOLE, withTypos: false };

/** The kind of a message that is only social: a greeting, thanks, "are you a robot?", … Undefined if it contains any request. */
export function recogniseSocialTurn(text: string, context: SocialContext = {}): SocialTurn | undefined {
  return text.length > MAX_CHARACTERS
    ? wordlessTurn(text, context)
    : socialTurnOf(text, wordsOfMessage(text), context);
}

/** The same for a message whose words are known. */
export function socialTurnOf(
  text: string,
  words: readonly MessageWord[],
  context: SocialContext,
): SocialTurn | undefined {
  if (text.length > MAX_CHARACTERS || words.length === 0 || words.length > MAX_WORDS) {
    return wordlessTurn(text, context);
  }
  for (const { covers } of readingsOf(words, context, context.isExact ? WHOLE_AS_WRITTEN : WHOLE)) {
    const cover = covers.get(words.length);
    const turn = cover && turnOf(cover, text.includes("?"));
    if (turn !== undefined) return isTaken(turn, context) ? turn : undefined;
  }
  const turn = exactTurnOf(words);
  return turn && isTaken(turn, context) ? turn : undefined;
}

/** If no person is offered, asking for one is a request. */
const isTaken = ({ kind }: SocialTurn, { offersPerson }: SocialContext): boolean =>
  kind !== "person" || offersPerson === true;

/** "???" asks what the bot can do. */
function wordlessTurn(text: string, { language }: SocialContext): SocialTurn | undefined {
  if (!text.includes("?") || !/^[\s\p{P}]*$/u.test(text)) return undefined;
  const [own = "en"] = languagesFrom(language);
  return { kind: "help", language: own };
}

const GREETING: ReadonlySet<SocialSection> = new Set(["greeting", "opening", "hail"]);
/** Sections before a word that is a greeting at the start and a goodbye elsewhere. */
const OPENING: ReadonlySet<SocialSection> = new Set([...GREETING, "addressee", "filler"]);

/** Together with these, a word for a person asks for one; together with other courtesies it addresses somebody: "thanks, agent". */
const BESIDE_SOMEBODY: ReadonlySet<SocialSection> = new Set([
  "somebody",
  "person",
  "filler",
  "yes",
  "no",
  "help",
  "abuse",
]);
/** Together with these it does neither: "I am human". */
const NOT_BESIDE_SOMEBODY: ReadonlySet<SocialSection> = new Set(["acknowledge", "identity"]);

const SAYING_YES: ReadonlySet<SocialSection> = new Set(["yes", "doubt"]);

function turnOf(cover: Cover<SocialSection>, isQuestion: boolean): SocialTurn | undefined {
  const sections = cover.map(({ section }) => section);
  if (sections.includes("somebody") && sections.some((one) => NOT_BESIDE_SOMEBODY.has(one))) return undefined;
  const kinds = sections.map((_, index) => kindOf(sections, index, isQuestion));
  const kind = SOCIAL_KINDS.find((candidate) => kinds.includes(candidate));
  if (kind === undefined) return undefined;
  const says = sections.includes("no")
    ? "no"
    : sections.some((one) => SAYING_YES.has(one))
      ? "yes"
      : undefined;
  return { kind, ...(says && { says }), language: cover[kinds.indexOf(kind)]!.language };
}

/** The kinds of sections that determine a kind by themselves. */
const KIND_OF_SECTION: Partial<Record<SocialSection, SocialKind>> = {
  greeting: "greeting",
  opening: "greeting",
  thanks: "thanks",
  praise: "thanks",
  goodbye: "goodbye",
  identity: "identity",
  help: "help",
  person: "person",
  abuse: "abuse",
  repair: "repair",
  doubt: "repair",
  acknowledge: "acknowledge",
  yes: "acknowledge",
  no: "acknowledge",
};

function kindOf(
  sections: readonly SocialSection[],
  index: number,
  isQuestion: boolean,
): SocialKind | undefined {
  const section = sections[index]!;
  if (section === "hail") {
    return sections.slice(0, index).every((before) => OPENING.has(before)) ? "greeting" : "goodbye";
  }
  if (section === "wellbeing") {
    const greets = isQuestion || sections.some((other) => GREETING.has(other));
    return greets ? "greeting" : "acknowledge";
  }
  if (section === "somebody") {
    return sections.every((other) => BESIDE_SOMEBODY.has(other)) ? "person" : undefined;
  }
  return KIND_OF_SECTION[section];
}
