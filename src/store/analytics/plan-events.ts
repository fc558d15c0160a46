import type { EventBehind, NewDelivery, TurnEvent } from "../../domain/delivery.ts";
import type { BotId } from "../../domain/ids.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import type { DroppedEvents, Telling } from "../interface/outbox.ts";

/** What of a turn says whether anybody is told of it. */
export interface CountedTurn {
  bot: BotKey;
  at: EpochMs;
  outcome: Outcome;
  /** What became of its action; null where it called none. */
  actionState: string | null;
}

/** What the store knows of those who are told. */
export interface TellingState {
  /** Of the turns; those of a bot that is gone are told to nobody. */
  botIds: ReadonlyMap<BotKey, BotId>;
  /** Since when a webhook is told of an event, by {@link startName}. */
  starts: ReadonlyMap<string, EpochMs>;
  /** Events of turns that wait already, by webhook. */
  waiting: ReadonlyMap<string, number>;
}

/** Deliveries to be stored, and what there is no room for. */
export interface PlannedEvents<Turn> {
  deliveries: { turn: Turn; delivery: NewDelivery }[];
  dropped: DroppedEvents[];
}

/** What has to do with a turn that nobody is told of: most of them. */
const EVENT_OF: Partial<Record<Outcome, TurnEvent>> = {
  refused: "turn.refused",
  unmatched: "turn.unmatched",
};

/** An action counts before the outcome: it is answered either way. */
function eventOf({ outcome, actionState }: CountedTurn): TurnEvent | undefined {
  if (actionState === "done") return "action.done";
  return actionState === "failed" || actionState === "unsure" ? "action.failed" : EVENT_OF[outcome];
}

export function startName(target: string, event: string): string {
  return `${event} ${target}`;
}

/** The turns that somebody may be told of. Pure. */
export function tellableTurns<Turn extends CountedTurn>(turns: readonly Turn[]): Turn[] {
  return turns.filter((turn) => eventOf(turn) !== undefined);
}

/** Who is told of which turns: of none before the webhook took the event, and of no more than may wait. Pure. */
export function planTurnEvents<Turn extends CountedTurn>(
  turns: readonly Turn[],
  { botIds, starts, waiting }: TellingState,
  { recipientsOf, mostOfTurns }: Pick<Telling, "recipientsOf" | "mostOfTurns">,
): PlannedEvents<Turn> {
  const filled = new Map(waiting);
  const dropped = new Map<string, DroppedEvents>();
  const deliveries = turns.flatMap((turn) => {
    const event = eventOf(turn);
    const bot = botIds.get(turn.bot);
    if (event === undefined || bot === undefined) return [];
    return recipientsOf(bot, event).flatMap((delivery) => {
      const { target } = delivery;
      const name = startName(target, event);
      if (turn.at < (starts.get(name) ?? Infinity)) return [];
      const before = filled.get(target) ?? 0;
      if (before >= mostOfTurns) {
        dropped.getOrInsertComputed(name, () => ({ target, event, count: 0 })).count += 1;
        return [];
      }
      filled.set(target, before + 1);
      return [{ turn, delivery }];
    });
  });
  return { deliveries, dropped: [...dropped.values()] };
}

/** How many events of turns a webhook was given. Pure. */
export function addedByTarget(deliveries: readonly { delivery: NewDelivery }[]): Map<string, number> {
  const added = new Map<string, number>();
  for (const { delivery } of deliveries) added.set(delivery.target, (added.get(delivery.target) ?? 0) + 1);
  return added;
}

/** Of those that have ended, more go than come: what is kept comes down to its bound. */
export const GO_FOR_EACH = 2;

/** The bots that somebody is to be told of when their cap is nearly used up. Pure. */
export function cappedRecipients(
  botIds: ReadonlyMap<BotKey, BotId>,
  { recipientsOf }: Pick<Telling, "recipientsOf">,
): Map<BotKey, readonly NewDelivery[]> {
  const event: EventBehind = "cap.near";
  const all = [...botIds].map(([key, id]) => [key, recipientsOf(id, event)] as const);
  return new Map(all.filter(([, recipients]) => recipients.length > 0));
}

/** What a delivery that tells of a cap is about. */
export function capSubject(month: string, cap: number): string {
  return `${month}/${cap}`;
}
