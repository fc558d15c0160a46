import { type Admitted, admit, type AdmitParts, type IncomingRequest } from "./admit.ts";

/** What visitors send beside messages. */
export type BesidePurpose = "feedback" | "handoff" | "events";

/** Runs the checks of POST /chat for what is no message. @throws ServiceError as `admit` does */
export type AdmitBeside = <Body extends { botId: string }>(
  purpose: BesidePurpose,
  request: IncomingRequest<Body>,
) => Promise<Admitted<Body>>;

/** Each purpose has buckets of its own, with the limits of messages: who rates an answer may still write. */
export function admitBeside(parts: AdmitParts): AdmitBeside {
  const partsOf = (purpose: BesidePurpose): AdmitParts => ({
    ...parts,
    buckets: { take: (caller, limit) => parts.buckets.take(`${purpose} ${caller}`, limit) },
  });
  const byPurpose = { feedback: partsOf("feedback"), handoff: partsOf("handoff"), events: partsOf("events") };
  return (purpose, request) => admit(byPurpose[purpose], request);
}
