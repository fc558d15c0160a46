import { invalidResponse, problemError } from "./parley-error.ts";
import type { ChatAnswer, ChatEvent } from "./public.d.ts";
import { readEvents } from "./read-events.ts";

type Meta = Extract<ChatEvent, { type: "meta" }>;

/** The part of an answer that the caller has received, over all attempts. */
export interface ToldAnswer {
  conversationId?: string;
  text: string;
}

/**
 * Tells one attempt at a streamed answer from where `told` ends. A retry mostly gets the same answer again, as one piece; where it gets
 * another one, `meta` says that the text begins again.
 *
 * @throws ParleyError where the service says what is wrong; an error where the answer breaks off, or whatever the body fails with.
 */
export async function* tellAnswer(
  response: Response,
  told: ToldAnswer,
): AsyncGenerator<ChatEvent, void, undefined> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) throw invalidResponse(response);
  let meta: Meta | undefined;
  let heard = "";
  for await (const { event, data } of readEvents(response.body!)) {
    const said: unknown = JSON.parse(data);
    if (event === "meta") {
      meta = { type: "meta", ...(said as Omit<Meta, "type">) };
      if (meta.conversationId !== told.conversationId) yield begin(meta, told);
    }
    if (event === "delta") {
      heard += (said as { text: string }).text;
      if (told.text.startsWith(heard)) continue;
      if (!heard.startsWith(told.text)) yield begin(meta!, told);
      yield tell(heard, told);
    }
    if (event === "error") throw problemError(said as object, response);
    if (event === "done") {
      // The other answer is a beginning of what the first attempt said.
      if (told.text !== heard) {
        yield begin(meta!, told);
        yield tell(heard, told);
      }
      return yield { type: "done", answer: answerOf(said, response) };
    }
  }
  throw new Error("the answer broke off");
}

/** An answer with the id by which it can be rated. */
export function answerOf(body: unknown, { headers }: Response): ChatAnswer {
  return { ...(body as Omit<ChatAnswer, "requestId">), requestId: headers.get("x-request-id") ?? "" };
}

function begin(meta: Meta, told: ToldAnswer): Meta {
  told.conversationId = meta.conversationId;
  told.text = "";
  return meta;
}

function tell(heard: string, told: ToldAnswer): ChatEvent {
  const text = heard.slice(told.text.length);
  told.text = heard;
  return { type: "delta", text };
}
