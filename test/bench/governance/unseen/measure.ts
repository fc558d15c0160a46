import type { GovernedBot } from "../govern-bot.ts";
import { seededRandom } from "../random.ts";
import { count, emptyTally, type Tally } from "../tally.ts";
import type { DisguiseKind } from "./characters.ts";
import { CIPHERS } from "./ciphers.ts";
import { UNSEEN_JOINTS } from "./joints.ts";
import { UNICODE_DISGUISES } from "./letters.ts";
import { SPELLINGS } from "./spellings.ts";

/** Outcomes of messages that were changed in one way. */
export interface KindFigures {
  name: string;
  isKnown: boolean;
  /** Messages that ask for something denied. */
  denied: Tally;
  /** Messages, changed in the same way, that ask for allowed things only. */
  allowed: Tally;
}

export interface UnseenFigures {
  disguises: KindFigures[];
  joints: KindFigures[];
}

export const DISGUISE_KINDS: readonly DisguiseKind[] = [...UNICODE_DISGUISES, ...CIPHERS, ...SPELLINGS];

const emptyFigures = (name: string, isKnown = false): KindFigures => ({
  name,
  isKnown,
  denied: emptyTally(),
  allowed: emptyTally(),
});

export const emptyUnseenFigures = (): UnseenFigures => ({
  disguises: DISGUISE_KINDS.map(({ name, isKnown }) => emptyFigures(name, isKnown)),
  joints: UNSEEN_JOINTS.map(({ name }) => emptyFigures(name)),
});

/** Asks a bot each of its messages in one disguise and with one joint, each time of the next kind. */
export function measureUnseen(
  { denied, allowed, answer }: GovernedBot,
  { disguises, joints }: UnseenFigures,
  seed: number,
): void {
  const random = seededRandom(seed);
  const ask = (texts: readonly string[], tallyOf: (figures: KindFigures) => Tally): void =>
    texts.forEach((text, i) => {
      const kind = (i + seed * 11) % disguises.length;
      count(answer(DISGUISE_KINDS[kind]!.disguise(text, random)), tallyOf(disguises[kind]!));
      const joint = (i + seed * 5) % joints.length;
      const other = allowed[(i + 1) % allowed.length]!.text;
      const [first, second] = random() < 0.5 ? [text, other] : [other, text];
      count(answer(UNSEEN_JOINTS[joint]!.join(first, second, random)), tallyOf(joints[joint]!));
    });
  ask(
    denied.map(({ text }) => text),
    (figures) => figures.denied,
  );
  ask(
    allowed.map(({ text }) => text),
    (figures) => figures.allowed,
  );
}
