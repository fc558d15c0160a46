import type { ModelServerSettings } from "../config/models.ts";
import type { CompletionRequest, TokenUsage } from "../domain/completion.ts";
import { takeEvents } from "../domain/event-stream.ts";
import type { Now } from "../domain/time.ts";
import { AnswerText } from "./answer-text.ts";
import {
  bodyFailure,
  boundedBytes,
  type CallFailure,
  type CallResult,
  callServer,
  OversizedReplyError,
  readText,
  type ServerAddress,
} from "./http-call.ts";
import { ChatCompletion, ChatCompletionChunk, parseReply, usageOf } from "./replies.ts";

/** Longest answer, in UTF-16 units. */
export const MAX_ANSWER_LENGTH = 256 * 1024;
const MAX_REPLY_BYTES = 2 * 1024 * 1024;
/** Larger than for a whole answer: in a stream, every few characters come wrapped in a JSON object of their own. */
const MAX_STREAM_BYTES = 16 * 1024 * 1024;

/** A server's answer, not validated yet. */
export interface ServerAnswer {
  text: string;
  refusal: string;
  finishReason: string | undefined;
  usage?: TokenUsage;
}

export interface ChatCall {
  address: ServerAddress;
  settings: ModelServerSettings;
  request: CompletionRequest;
  /** Whether the server is sent `response_format`. */
  withSchema: boolean;
  signal: AbortSignal;
  now: Now;
  /** Requests a stream and receives each piece of the answer. */
  onText?: (text: string) => void;
}

/** One attempt at a chat completion; never rejects because of the server. */
export async function callChat(call: ChatCall): Promise<CallResult<ServerAnswer>> {
  const { address, onText, signal, now } = call;
  const accept = onText ? "text/event-stream, application/json" : "application/json";
  const answer = await callServer(
    address,
    { path: "/chat/completions", body: bodyOf(call), accept },
    { signal, now },
  );
  if (!answer.ok) return answer;
  const mediaType = (answer.value.headers.get("content-type") ?? "").split(";")[0]!.trim().toLowerCase();
  try {
    if (onText && mediaType === "text/event-stream") return await readStream(answer.value, onText);
    if (mediaType === "application/json") return await readWhole(answer.value, onText);
  } catch (error) {
    return bodyFailure(error);
  }
  await answer.value.body?.cancel();
  return unusable("the answer is neither JSON nor an event stream");
}

function bodyOf({ settings, request, withSchema, onText }: ChatCall) {
  const { messages, maxTokens, temperature, outputSchema } = request;
  return {
    model: settings.model,
    messages,
    [settings.maxTokensField ?? "max_tokens"]: maxTokens,
    ...(temperature !== undefined && { temperature }),
    ...(withSchema && {
      response_format: {
        type: "json_schema",
        json_schema: { name: "answer", strict: true, schema: outputSchema },
      },
    }),
    ...(onText && { stream: true, stream_options: { include_usage: true } }),
  };
}

async function readWhole(response: Response, onText: ChatCall["onText"]): Promise<CallResult<ServerAnswer>> {
  const reply = parseReply(ChatCompletion, await readText(response, MAX_REPLY_BYTES));
  const choice = reply?.choices[0];
  if (!reply || !choice) return unusable(reply ? "the answer has no choice" : "the answer is malformed");
  const answer = new AnswerText();
  answer.push(choice.message.content ?? "");
  answer.finish();
  if (answer.text.length > MAX_ANSWER_LENGTH) return unusable("the answer is too large");
  if (answer.text !== "") onText?.(answer.text);
  const usage = usageOf(reply.usage);
  return {
    ok: true,
    value: {
      text: answer.text,
      refusal: choice.message.refusal ?? "",
      finishReason: choice.finish_reason ?? undefined,
      ...(usage && { usage }),
    },
  };
}

async function readStream(
  response: Response,
  onText: (text: string) => void,
): Promise<CallResult<ServerAnswer>> {
  const answer = new AnswerText();
  const answered: ServerAnswer = { text: "", refusal: "", finishReason: undefined };
  let isDone = false;
  for await (const data of readEvents(boundedBytes(response, MAX_STREAM_BYTES))) {
    isDone = data === "[DONE]";
    if (isDone) break;
    const chunk = parseReply(ChatCompletionChunk, data);
    if (!chunk) return unusable("the answer is malformed");
    const added = take(chunk, answer, answered);
    if (answer.text.length > MAX_ANSWER_LENGTH) return unusable("the answer is too large");
    if (added !== "") onText(added);
  }
  if (!isDone && answered.finishReason === undefined) return unusable("the answer broke off");
  const held = answer.finish();
  if (held !== "") onText(held);
  return { ok: true, value: { ...answered, text: answer.text } };
}

function take(chunk: ChatCompletionChunk, answer: AnswerText, answered: ServerAnswer): string {
  const usage = usageOf(chunk.usage);
  if (usage) answered.usage = usage;
  const choice = chunk.choices[0];
  if (choice?.finish_reason) answered.finishReason = choice.finish_reason;
  answered.refusal += choice?.delta?.refusal ?? "";
  return answer.push(choice?.delta?.content ?? "");
}

function unusable(reason: string): CallFailure {
  return { ok: false, reason, isRetryable: false };
}

/** Of one event, in UTF-16 units. */
const MAX_EVENT_LENGTH = 1024 * 1024;
/**
 * The end of an event. Searched for only after a line break, because searching after every byte of a slow stream would cost quadratic time.
 */
const BLANK_LINE = /\n\r?\n|\r\r/;
const MAX_BLANK_LINE_LENGTH = 3;

/**
 * The data of each server-sent event. The caller must limit the number of bytes.
 *
 * @throws OversizedReplyError when an event has no end.
 */
export async function* readEvents(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = "";
  /** A copy of the end of `text`: reading the end of a string that has just grown would copy all of it. */
  let tail = "";
  for await (const chunk of bytes) {
    const piece = decoder.decode(chunk, { stream: true });
    const seam = tail + piece;
    text += piece;
    tail = seam.slice(-MAX_BLANK_LINE_LENGTH);
    if (!BLANK_LINE.test(seam)) {
      if (text.length > MAX_EVENT_LENGTH) throw new OversizedReplyError();
      continue;
    }
    const { events, rest } = takeEvents(text);
    text = rest;
    if (text.length > MAX_EVENT_LENGTH) throw new OversizedReplyError();
    for (const { data } of events) yield data;
  }
}
