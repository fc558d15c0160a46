import type { AdmitBeside } from "../chat/admission/admit.ts";
import type { PersonRequest } from "../chat/handoff/ask-for-person.ts";
import type { FieldFault } from "../domain/errors.ts";
import {
  HANDOFF_FIELDS,
  type HandoffField,
  HandoffRequest,
  type HandoffResponse,
} from "../domain/handoff.ts";
import type { Endpoint } from "./endpoint.ts";
import { jsonAnswer } from "./every-answer.ts";
import { invalidBody } from "./json-body.ts";
import { noteBotId, type RequestContext } from "./request-context.ts";
import { readIdempotencyKey } from "./request-headers.ts";
import { readFields, type VisitorParts, visitorRequest } from "./visitor-request.ts";

type HandoffBody = HandoffRequest & { idempotencyKey?: string };

/** The parts that POST /handoff uses. */
export interface HandoffRouteParts extends VisitorParts {
  admitBeside: AdmitBeside;
  askForPerson: (request: PersonRequest) => Promise<HandoffResponse>;
}

/** POST /handoff: a visitor asks for a person. */
export function handoffEndpoint(parts: HandoffRouteParts): Endpoint {
  return {
    method: "POST",
    path: "/handoff",
    async answer(context) {
      const request = visitorRequest(parts, context, () => readHandoff(context));
      const { bot, embedToken, body } = await parts.admitBeside("handoff", request);
      const { idempotencyKey: key, ...fields } = body;
      const { clientAddress } = request;
      const asked = await parts.askForPerson({
        bot,
        request: fields,
        ...(key !== undefined && { idempotencyKey: { embedToken: embedToken.key, clientAddress, key } }),
      });
      return jsonAnswer(asked);
    },
  };
}

async function readHandoff(context: RequestContext): Promise<HandoffBody> {
  const { request } = context;
  const fields = await readFields(request, HandoffRequest);
  const faults = fieldFaults(fields);
  if (faults.length > 0) throw invalidBody(faults);
  const idempotencyKey = readIdempotencyKey(request.headers.get("idempotency-key"));
  noteBotId(context, fields.botId);
  return { ...fields, ...(idempotencyKey !== undefined && { idempotencyKey }) };
}

const CONTROL = /\p{Cc}/u;
/** Control characters except line breaks and tabs. */
const CONTROL_IN_MESSAGE = /[^\P{Cc}\t\n\r]/u;
/** Less strict than the widget's form, which also requires a dot. */
const EMAIL = /^[^\s@]+@[^\s@]+$/;

/** Faults of form fields beyond their lengths; the values are used in e-mails. */
function fieldFaults(fields: HandoffRequest): FieldFault[] {
  return HANDOFF_FIELDS.flatMap((field) => {
    const detail = fields[field] === undefined ? undefined : faultOf(field, fields[field]);
    return detail === undefined ? [] : [{ pointer: `/${field}`, detail }];
  });
}

function faultOf(field: HandoffField, text: string): string | undefined {
  if (field === "message") {
    return CONTROL_IN_MESSAGE.test(text) ? "must not contain control characters but line breaks" : undefined;
  }
  if (CONTROL.test(text)) return "must be one line, without control characters";
  if (field === "email" && !EMAIL.test(text.trim())) return "must be an e-mail address, as `ann@example.com`";
  if (field === "phone" && !/\p{Nd}/u.test(text)) return "must be a phone number, with a digit at least";
  return undefined;
}
