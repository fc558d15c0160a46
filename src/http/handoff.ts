import type { AdmitBeside } from "../chat/admission/admit-beside.ts";
import type { PersonRequest } from "../chat/handoff/ask-for-person.ts";
import { HandoffRequest, type HandoffResponse } from "../domain/handoff.ts";
import type { Endpoint } from "./endpoint.ts";
import { readIdempotencyKey } from "./idempotency-header.ts";
import { noteBotId, type RequestContext } from "./request-context.ts";
import { readFields, type VisitorParts, visitorJson, visitorRequest } from "./visitor-request.ts";

type HandoffBody = HandoffRequest & { idempotencyKey?: string };

/** The parts that POST /handoff uses. */
export interface HandoffRouteParts extends VisitorParts {
  admitBeside: AdmitBeside;
  askForPerson: (request: PersonRequest) => Promise<HandoffResponse>;
}

/** POST /handoff: a visitor asks for a person (decisions §12). */
export function handoffEndpoint(parts: HandoffRouteParts): Endpoint {
  return {
    method: "POST",
    path: "/handoff",
    async answer(context) {
      const request = visitorRequest(parts, context, () => readHandoff(context));
      const { bot, embedToken, body } = await parts.admitBeside("handoff", request);
      const { idempotencyKey, ...fields } = body;
      const asked = await parts.askForPerson({
        bot,
        embedToken: embedToken.key,
        request: fields,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
      });
      return visitorJson(asked);
    },
  };
}

async function readHandoff(context: RequestContext): Promise<HandoffBody> {
  const { request } = context;
  const fields = await readFields(request, HandoffRequest);
  const idempotencyKey = readIdempotencyKey(request.headers.get("idempotency-key"));
  noteBotId(context, fields.botId);
  return { ...fields, ...(idempotencyKey !== undefined && { idempotencyKey }) };
}
