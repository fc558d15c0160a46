import type { Classifier } from "../../../src/domain/decision.ts";
import type { TestedSet } from "./data-sets.ts";
import { DISGUISES } from "./disguises.ts";
import { type GovernedBot, governBot } from "./govern-bot.ts";
import { seededRandom } from "./random.ts";
import { JOINTS, smuggled, withPretext } from "./smuggling.ts";
import { count, emptyTally, type Tally } from "./tally.ts";
import { emptyUnseenFigures, measureUnseen, type UnseenFigures } from "./unseen/measure.ts";

export interface GovernanceFigures {
  /** Utterances of denied intents. */
  denied: Tally;
  /** Utterances of allowed intents: each denial or restriction here is wrong. */
  allowed: Tally;
  /** Two allowed requests in one message. */
  allowedTwice: Tally;
  /** Out-of-scope utterances. */
  outOfScope: Tally;
  smuggled: Tally;
  smuggledByJoint: Map<string, Tally>;
  /** A denied request between two allowed ones, without joints. */
  smuggledBetween: Tally;
  /** Requests with a pretext before them. */
  deniedWithPretext: Tally;
  allowedWithPretext: Tally;
  disguised: Tally;
  disguisedByTrick: Map<string, Tally>;
  unseen: UnseenFigures;
}

function emptyFigures(): GovernanceFigures {
  return {
    denied: emptyTally(),
    allowed: emptyTally(),
    allowedTwice: emptyTally(),
    outOfScope: emptyTally(),
    smuggled: emptyTally(),
    smuggledByJoint: new Map(),
    smuggledBetween: emptyTally(),
    deniedWithPretext: emptyTally(),
    allowedWithPretext: emptyTally(),
    disguised: emptyTally(),
    disguisedByTrick: new Map(),
    unseen: emptyUnseenFigures(),
  };
}

function tallyOf(tallies: Map<string, Tally>, name: string): Tally {
  const tally = tallies.get(name) ?? emptyTally();
  tallies.set(name, tally);
  return tally;
}

function measureJoined(
  { denied, allowed, answer }: GovernedBot,
  figures: GovernanceFigures,
  seed: number,
): void {
  const random = seededRandom(seed);
  denied.forEach(({ text }, i) => {
    const joint = JOINTS[(i + seed * 7) % JOINTS.length]!;
    const other = allowed[i % allowed.length]!.text;
    const decision = answer(smuggled(other, text, joint, random));
    count(decision, figures.smuggled, tallyOf(figures.smuggledByJoint, JSON.stringify(joint)));
    const next = allowed[(i + 1) % allowed.length]!.text;
    count(answer(`${other} ${text} ${next}`), figures.smuggledBetween);
    count(answer(withPretext(text, random)), figures.deniedWithPretext);
  });
  for (const { text } of allowed) count(answer(withPretext(text, random)), figures.allowedWithPretext);
  for (let i = 0; i + 1 < allowed.length; i += 2) {
    const joint = JOINTS[(i / 2 + seed) % JOINTS.length]!;
    count(answer(smuggled(allowed[i]!.text, allowed[i + 1]!.text, joint, random)), figures.allowedTwice);
  }
}

function measureDisguised({ denied, answer }: GovernedBot, figures: GovernanceFigures, seed: number): void {
  const random = seededRandom(seed);
  const tricks = Object.entries(DISGUISES);
  denied.forEach(({ text }, i) => {
    const [name, disguise] = tricks[(i + seed * 11) % tricks.length]!;
    count(answer(disguise(text, random)), figures.disguised, tallyOf(figures.disguisedByTrick, name));
  });
}

/**
 * Asks bots on a data set, with differently drawn profiles, one for each seed.
 * @param most maximum number of utterances of each kind for a bot.
 */
export function measureGovernance(
  dataSet: TestedSet,
  classifier: Classifier,
  seeds: readonly number[],
  most: number,
): GovernanceFigures {
  const figures = emptyFigures();
  for (const { bot, seed } of botsOf(dataSet, classifier, seeds, most)) {
    measurePlain(bot, figures);
    for (const { text } of dataSet.outOfScope.slice(0, most)) count(bot.answer(text), figures.outOfScope);
    measureJoined(bot, figures, seed);
    measureDisguised(bot, figures, seed);
    measureUnseen(bot, figures.unseen, seed);
  }
  return figures;
}

/** The same for plain and joined requests only, in an eighth of the time. */
export function measureDenials(
  dataSet: TestedSet,
  classifier: Classifier,
  seeds: readonly number[],
  most: number,
): GovernanceFigures {
  const figures = emptyFigures();
  for (const { bot, seed } of botsOf(dataSet, classifier, seeds, most)) {
    measurePlain(bot, figures);
    measureJoined(bot, figures, seed);
  }
  return figures;
}

function botsOf(
  dataSet: TestedSet,
  classifier: Classifier,
  seeds: readonly number[],
  most: number,
): { bot: GovernedBot; seed: number }[] {
  return seeds
    .map((seed) => {
      const drawn = governBot(classifier, dataSet, seed);
      const bot = { ...drawn, denied: drawn.denied.slice(0, most), allowed: drawn.allowed.slice(0, most) };
      return { bot, seed };
    })
    .filter(({ bot }) => bot.allowed.length > 0);
}

function measurePlain({ denied, allowed, answer }: GovernedBot, figures: GovernanceFigures): void {
  for (const { text } of denied) count(answer(text), figures.denied);
  for (const { text } of allowed) count(answer(text), figures.allowed);
}
