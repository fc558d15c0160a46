import { type RecipientParts, recipientsOf } from "../chat/notices/recipients.ts";
import { eventsOf, type Webhooks } from "../config/webhooks.ts";
import { COUNTED_EVENTS, MAX_EVENTS_PER_WEBHOOK, TURN_EVENTS } from "../domain/delivery.ts";
import type { EpochMs } from "../domain/time.ts";
import type { EventStart, EventReporting, ReportedEvents } from "../store/interface/outbox.ts";
import type { Outbox } from "../store/interface/store.ts";
import type { World } from "./world.ts";

const SAY_EVERY_MS = 60 * 60 * 1000;

/** The recipients of events found by counting. */
export interface OpenEventReporting {
  reporting: EventReporting;
  onReported: (reported: ReportedEvents) => void;
}

/** From now on, events of turns are sent to webhooks that did not get them before. */
export async function startReporting(
  { outbox }: { outbox: Pick<Outbox, "startReporting"> },
  webhooks: Webhooks,
  at: EpochMs,
): Promise<void> {
  const starts = Object.entries(webhooks).flatMap(([target, webhook]): EventStart[] =>
    TURN_EVENTS.filter((event) => eventsOf(webhook).includes(event)).map((event) => ({ target, event })),
  );
  if (starts.length > 0) await outbox.startReporting(starts, at);
}

/** @returns undefined if no webhook takes an event that counting finds. */
export function openEventReporting(
  notifier: RecipientParts & { nudge: () => void },
  { now, log, metrics }: Pick<World, "now" | "log" | "metrics">,
  mostOfTurns: number = MAX_EVENTS_PER_WEBHOOK,
): OpenEventReporting | undefined {
  if (!takesAny(notifier.webhooks)) return undefined;
  const sayDropped = dropLog({ now, log });
  return {
    reporting: { recipientsOf: (id, event) => recipientsOf(notifier, { id }, event), now, mostOfTurns },
    onReported({ added, dropped }) {
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
    COUNTED_EVENTS.some((event) => eventsOf(webhook).includes(event)),
  );
}

/** Logs that a webhook has the maximum number of waiting events: immediately, and then once an hour while this lasts. */
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
