import type { LoadedBot } from "../bots/loaded-bot.ts";
import type { AdmitBeside } from "../chat/admission/admit.ts";
import { ServiceError } from "../domain/errors.ts";
import { type Feedback, FeedbackRequest } from "../domain/feedback.ts";
import type { RequestId } from "../domain/ids.ts";
import type { Conversations } from "../store/interface/store.ts";
import type { Endpoint } from "./endpoint.ts";
import { noteBotId, type RequestContext } from "./request-context.ts";
import { noContent, readFields, type VisitorParts, visitorRequest } from "./visitor-request.ts";

/** The rated answer. */
interface RatedAnswer {
  botId: string;
  requestId: RequestId;
  feedback: Feedback;
}

/** The parts that POST /feedback uses. */
export interface FeedbackParts extends VisitorParts {
  admitBeside: AdmitBeside;
  store: { conversations: Pick<Conversations, "findTurnByRequest"> };
  /** @returns false if the turn no longer exists. */
  rate: (answer: { bot: LoadedBot; requestId: RequestId }, feedback: Feedback) => Promise<boolean>;
}

/** POST /feedback: a visitor's rating of an answer. The latest rating counts. */
export function feedbackEndpoint(parts: FeedbackParts): Endpoint {
  return {
    method: "POST",
    path: "/feedback",
    async answer(context) {
      const request = visitorRequest(parts, context, () => readRating(parts, context));
      const { bot, body } = await parts.admitBeside("feedback", request);
      if (!(await parts.rate({ bot, requestId: body.requestId }, body.feedback))) throw noSuchAnswer();
      return noContent();
    },
  };
}

/** The bot comes from the answer, so that its bot, token and domain checks apply. */
async function readRating({ store }: FeedbackParts, context: RequestContext): Promise<RatedAnswer> {
  const { conversationId, requestId, rating, reason } = await readFields(context.request, FeedbackRequest);
  const turn = await store.conversations.findTurnByRequest(requestId);
  if (turn?.conversationId !== conversationId) throw noSuchAnswer();
  noteBotId(context, turn.botId);
  const feedback = { rating, ...(reason !== undefined && { reason }) };
  return { botId: turn.botId, requestId: turn.requestId, feedback };
}

function noSuchAnswer(): ServiceError {
  return new ServiceError(
    "NOT_FOUND",
    "There is no such answer: send its conversationId, and the X-Request-Id of its response as requestId.",
  );
}
