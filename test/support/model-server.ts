import { type IncomingHttpHeaders, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface ChatBody {
  model: string;
  messages: { role: string; content: string }[];
  stream?: boolean;
  [name: string]: unknown;
}

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: ChatBody;
}

/** How the server answers one request. */
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void | Promise<void>;

/** A real HTTP server with scripted answers, including invalid ones. */
export class TestModelServer implements AsyncDisposable {
  readonly requests: ReceivedRequest[] = [];
  readonly #server;
  readonly #replies: Reply[] = [];

  constructor() {
    this.#server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on("data", (bytes: Buffer) => chunks.push(bytes));
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        const body = (text === "" ? {} : JSON.parse(text)) as ChatBody;
        const request = { path: incoming.url ?? "", headers: incoming.headers, body };
        this.requests.push(request);
        const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
        void (reply ?? says("Hello."))(response, request);
      });
    });
  }

  /** Answers with each reply once, in order, and then always with the last one. */
  replyWith(...replies: Reply[]): void {
    this.#replies.splice(0, this.#replies.length, ...replies);
    this.requests.length = 0;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v1`;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export function startModelServer(): Promise<TestModelServer> {
  return new TestModelServer().listen();
}

const JSON_TYPE = { "Content-Type": "application/json" };
const STREAM_TYPE = { "Content-Type": "text/event-stream" };
const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

function completion(message: object, finishReason = "stop") {
  const choices = [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason }];
  return JSON.stringify({ id: "c1", object: "chat.completion", choices, usage: USAGE });
}

function chunk(delta: object, finishReason: string | null = null): string {
  return `data: ${JSON.stringify({ id: "c1", choices: [{ index: 0, delta, finish_reason: finishReason }] })}\n\n`;
}

/** A valid completion, streamed word by word if a stream was requested. */
export function says(text: string, finishReason = "stop"): Reply {
  return (response, { body }) => {
    if (!body.stream) {
      response.writeHead(200, JSON_TYPE).end(completion({ content: text }, finishReason));
      return;
    }
    response.writeHead(200, STREAM_TYPE);
    for (const piece of text.match(/\S*\s*/g) ?? []) {
      if (piece !== "") response.write(chunk({ content: piece }));
    }
    response.write(chunk({}, finishReason));
    response.write(`data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\n`);
    response.end("data: [DONE]\n\n");
  };
}

/** A message with other fields than content, such as a refusal. */
export function sends(message: object, finishReason = "stop"): Reply {
  return (response) => void response.writeHead(200, JSON_TYPE).end(completion(message, finishReason));
}

export function fails(status: number, headers: Record<string, string> = {}): Reply {
  return (response) =>
    void response
      .writeHead(status, { ...JSON_TYPE, ...headers })
      .end(JSON.stringify({ error: { message: "secret internals of the server" } }));
}

/** A 200 with any body. */
export function sendsBody(body: string, contentType = "application/json"): Reply {
  return (response) => void response.writeHead(200, { "Content-Type": contentType }).end(body);
}

/** A valid completion with any `usage`, streamed in one piece if a stream was requested. */
export function counts(usage: unknown, text = "Hello."): Reply {
  return (response, { body }) => {
    const choice = {
      index: 0,
      finish_reason: "stop",
      [body.stream ? "delta" : "message"]: { content: text },
    };
    const json = JSON.stringify({ id: "c1", choices: [choice], usage });
    if (body.stream) response.writeHead(200, STREAM_TYPE).end(`data: ${json}\n\ndata: [DONE]\n\n`);
    else response.writeHead(200, JSON_TYPE).end(json);
  };
}

/** A small body that decompresses to a very large one. */
export function sendsBomb(encoding: string, body: Uint8Array, contentType = "application/json"): Reply {
  return (response) =>
    void response.writeHead(200, { "Content-Type": contentType, "Content-Encoding": encoding }).end(body);
}

/** A valid completion, compressed even if that was not requested. */
export function compresses(text: string): Reply {
  return (response) =>
    void response
      .writeHead(200, { ...JSON_TYPE, "Content-Encoding": "gzip" })
      .end(Bun.gzipSync(completion({ content: text })));
}

/** A stream that ends early, by closing the connection. */
export function breaksOffAfter(...pieces: string[]): Reply {
  return async (response) => {
    response.writeHead(200, STREAM_TYPE);
    for (const piece of pieces) response.write(chunk({ content: piece }));
    await Bun.sleep(200);
    response.destroy();
  };
}

/** A stream that sends its pieces, and then stalls. */
export function stallsAfter(...pieces: string[]): Reply {
  return (response) => {
    response.writeHead(200, STREAM_TYPE);
    for (const piece of pieces) response.write(chunk({ content: piece }));
  };
}

/** An endless stream, with a piece every few milliseconds. */
export function drips(piece: string, gapMs = 5): Reply {
  return (response) => {
    response.writeHead(200, STREAM_TYPE);
    const timer = setInterval(() => response.write(chunk({ content: piece })), gapMs);
    response.on("close", () => clearInterval(timer));
  };
}

/** An accepted connection that is never answered. */
export function hangs(): Reply {
  return () => {};
}

/** An accepted connection that is held until the client closes it. */
export function holds(): { reply: Reply; isAsked: Promise<void>; isLeft: Promise<void> } {
  const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const reply: Reply = (response) => {
    asked.resolve();
    response.on("close", left.resolve);
  };
  return { reply, isAsked: asked.promise, isLeft: left.promise };
}

/** A connection that is closed without an answer. */
export function hangsUp(): Reply {
  return (response) => void response.destroy();
}

/** `/embeddings` from a function of the text, with one token for each text. */
export function embeds(vectorOf: (text: string) => number[]): Reply {
  return (response, { body }) => {
    const input = body["input"] as string[];
    const data = input.map((text, index) => ({ object: "embedding", index, embedding: vectorOf(text) }));
    response
      .writeHead(200, JSON_TYPE)
      .end(JSON.stringify({ object: "list", data, usage: { prompt_tokens: input.length } }));
  };
}
