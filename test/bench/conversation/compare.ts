import { seededRandom } from "../../../src/intent/training/random.ts";
import { type Figure, type GradedConversation, percentageOf } from "./figures.ts";

/** Graded conversations by the bot's id; the same bots and conversations in the same order on both sides. */
export type GradedBots = Readonly<Record<string, readonly GradedConversation[]>>;

/** The change of a figure in points, with its 95 % bootstrap interval. */
export interface Difference {
  points: number;
  from: number;
  to: number;
}

const DRAWS = 2000;
const SEED = 30;

/** Paired bootstrap over conversations within bots. Undefined if there is nothing to count. */
export function compareFigure(figure: Figure, before: GradedBots, after: GradedBots): Difference | undefined {
  const bots = Object.keys(after).filter((id) => before[id]?.length === after[id]!.length);
  const pointsOf = (places: (count: number, id: string) => readonly number[]): number | undefined => {
    const drawn = (side: GradedBots) =>
      percentageOf(
        figure,
        bots.flatMap((id) => places(side[id]!.length, id).map((place) => side[id]![place]!)),
      );
    const [now, then] = [drawn(after), drawn(before)];
    return now === undefined || then === undefined ? undefined : now - then;
  };
  const points = pointsOf((count) => Array.from({ length: count }, (_, place) => place));
  if (points === undefined) return undefined;
  const random = seededRandom(SEED);
  const draws: number[] = [];
  for (let draw = 0; draw < DRAWS; draw++) {
    const places = new Map<string, number[]>();
    // Both sides draw the same conversations.
    const found = pointsOf((count, id) => {
      const known = places.get(id) ?? Array.from({ length: count }, () => Math.floor(random() * count));
      places.set(id, known);
      return known;
    });
    if (found !== undefined) draws.push(found);
  }
  draws.sort((a, b) => a - b);
  return {
    points,
    from: draws[Math.floor(0.025 * draws.length)]!,
    to: draws[Math.floor(0.975 * draws.length)]!,
  };
}
