import type { CountedEvent, NewDelivery, TurnEvent } from "../../domain/delivery.ts";
import type { BotId } from "../../domain/ids.ts";
import type { Outcome } from "../../domain/operator/overview.ts";
import type { EpochMs } from "../../domain/time.ts";
import type { BotKey } from "../interface/bots.ts";
import type { DroppedEvents, EventReporting } from "../interface/outbox.ts";

/** The properties of a turn that decide whether a webhook gets an event. */
export interface CountedTurn {
  bot: BotKey;
  at: EpochMs;
  outcome: Outcome;
  /** The state of its action; null if the turn called none. */
  actionState: string | null;
}

/** Stored state that planning needs. */
export interface ReportingState {
  /** Ids of the turns' bots; a deleted bot's turns send no events. */
  botIds: ReadonlyMap<BotKey, BotId>;
  /** Since when a webhook receives an event, by {@link startName}. */
  starts: ReadonlyMap<string, EpochMs>;
  /** Number of waiting events of turns, by webhook. */
  waiting: ReadonlyMap<string, number>;
}

/** Deliveries to be stored, and the number of events that were dropped for want of room. */
export interface PlannedEvents<Turn> {
  deliveries: { turn: Turn; delivery: NewDelivery }[];
  dropped: DroppedEvents[];
}

/** Events by outcome. Most outcomes have none. */
const EVENT_OF: Partial<Record<Outcome, TurnEvent>> = {
  refused: "turn.refused",
  unmatched: "turn.unmatched",
};

/** An action's event takes precedence over the outcome's: such a turn is answered either way. */
function eventOf({ outcome, actionState }: CountedTurn): TurnEvent | undefined {
  if (actionState === "done") return "action.done";
  return actionState === "failed" || actionState === "unsure" ? "action.failed" : EVENT_OF[outcome];
}

export function startName(target: string, event: string): string {
  return `${event} ${target}`;
}

/** The turns that have an event. Pure. */
export function reportableTurns<Turn extends CountedTurn>(turns: readonly Turn[]): Turn[] {
  return turns.filter((turn) => eventOf(turn) !== undefined);
}

/** Plans deliveries of turns: none from before the webhook took the event, and no more than may wait. Pure. */
export function planTurnEvents<Turn extends CountedTurn>(
  turns: readonly Turn[],
  { botIds, starts, waiting }: ReportingState,
  { recipientsOf, mostOfTurns }: Pick<EventReporting, "recipientsOf" | "mostOfTurns">,
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

/** Number of new events, by webhook. Pure. */
export function addedByTarget(deliveries: readonly { delivery: NewDelivery }[]): Map<string, number> {
  const added = new Map<string, number>();
  for (const { delivery } of deliveries) added.set(delivery.target, (added.get(delivery.target) ?? 0) + 1);
  return added;
}

/** Ended deliveries that are deleted for each new one, at most. More than one, so that the stored number falls to its bound. */
export const GO_FOR_EACH = 2;

/** Bots with a recipient for the event of a nearly used cap. Pure. */
export function cappedRecipients(
  botIds: ReadonlyMap<BotKey, BotId>,
  { recipientsOf }: Pick<EventReporting, "recipientsOf">,
): Map<BotKey, readonly NewDelivery[]> {
  const event: CountedEvent = "cap.near";
  const all = [...botIds].map(([key, id]) => [key, recipientsOf(id, event)] as const);
  return new Map(all.filter(([, recipients]) => recipients.length > 0));
}

/** The subject of a delivery about a cap. */
export function capSubject(month: string, cap: number): string {
  return `${month}/${cap}`;
}
