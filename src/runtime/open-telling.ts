import { type RecipientParts, recipientsOf } from "../chat/notices/recipients.ts";
import { eventsOf, type Webhooks } from "../config/webhooks.ts";
import { EVENTS_BEHIND, MOST_OF_TURNS, TURN_EVENTS } from "../domain/delivery.ts";
import type { EpochMs } from "../domain/time.ts";
import type { EventStart, Outbox, Telling, ToldBehind } from "../store/interface/outbox.ts";
import type { World } from "./world.ts";

const SAY_EVERY_MS = 60 * 60 * 1000;

/** The recipients of events found by counting. */
export interface OpenTelling {
  telling: Telling;
  onTold: (told: ToldBehind) => void;
}

/** Has webhooks told of turns from now on, where that is new to them. */
export async function startTelling(
  { outbox }: { outbox: Pick<Outbox, "startTelling"> },
  webhooks: Webhooks,
  at: EpochMs,
): Promise<void> {
  const starts = Object.entries(webhooks).flatMap(([target, webhook]): EventStart[] =>
    TURN_EVENTS.filter((event) => eventsOf(webhook).includes(event)).map((event) => ({ target, event })),
  );
  if (starts.length > 0) await outbox.startTelling(starts, at);
}

/** @returns undefined where no webhook takes any event of what is counted: then counting does nothing more. */
export function openTelling(
  notifier: RecipientParts & { nudge: () => void },
  { now, log, metrics }: Pick<World, "now" | "log" | "metrics">,
  mostOfTurns: number = MOST_OF_TURNS,
): OpenTelling | undefined {
  if (!takesAny(notifier.webhooks)) return undefined;
  const sayDropped = dropLog({ now, log });
  return {
    telling: { recipientsOf: (id, event) => recipientsOf(notifier, { id }, event), now, mostOfTurns },
    onTold({ added, dropped }) {
      for (const { target, event, count } of dropped) {
        metrics.eventsDropped.inc({ webhook: target, event }, count);
        sayDropped(target);
      }
      if (added > 0) notifier.nudge();
    },
  };
}

function takesAny(webhooks: Webhooks): boolean {
  return Object.values(webhooks).some((webhook) =>
    EVENTS_BEHIND.some((event) => eventsOf(webhook).includes(event)),
  );
}

/** Says that a webhook has as much waiting as may wait: at once, and then once an hour while it is so. */
function dropLog({ now, log }: Pick<World, "now" | "log">): (webhook: string) => void {
  const saidAt = new Map<string, EpochMs>();
  return (webhook) => {
    const at = now();
    if (at - (saidAt.get(webhook) ?? -Infinity) < SAY_EVERY_MS) return;
    saidAt.set(webhook, at);
    log.warn(
      { webhook },
      "events of turns are dropped: as many wait for this webhook as may; see whether its receiver answers, or name fewer events",
    );
  };
}
