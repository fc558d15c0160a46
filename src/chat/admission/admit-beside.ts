import type { RateLimit } from "../../domain/bot.ts";
import { type Admitted, admit, type AdmitParts, type IncomingRequest } from "./admit.ts";

/** What visitors send beside messages. */
export type BesidePurpose = "feedback" | "handoff" | "events";

/** Runs the checks of POST /chat for what is no message. @throws ServiceError as `admit` does */
export type AdmitBeside = <Body extends { botId: string }>(
  purpose: BesidePurpose,
  request: IncomingRequest<Body>,
) => Promise<Admitted<Body>>;

/** Each hand-off calls for a person: a visitor asks once and completes it, and whoever asks by the dozen wants to bury those of others. */
const ofHandoffs = ({ capacity, perMinute }: RateLimit): RateLimit => ({
  capacity: Math.ceil(capacity / 2),
  perMinute: perMinute / 10,
});

/** Each purpose has buckets of its own, with the limits of messages, hand-offs with narrower ones: who rates an answer may still write. */
export function admitBeside(parts: AdmitParts): AdmitBeside {
  const partsOf = (purpose: BesidePurpose): AdmitParts => ({
    ...parts,
    buckets: { take: (caller, limit) => parts.buckets.take(`${purpose} ${caller}`, limit) },
  });
  const byPurpose = {
    feedback: partsOf("feedback"),
    handoff: { ...partsOf("handoff"), narrow: ofHandoffs },
    events: partsOf("events"),
  };
  return (purpose, request) => admit(byPurpose[purpose], request);
}
