/**
 * A model server that puts each message as a question that stands alone by what the data say, and leaves open what answers it: it measures what such a question is worth,
 * and no model. Speaks as much of the chat completions of OpenAI as Parley asks for, on loopback.
 */
export class StandIn implements Disposable {
  /** How often it was asked. */
  asked = 0;
  /** What it says the next message means. */
  question = "";
  readonly #server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      this.asked += 1;
      const content = JSON.stringify({ question: this.question, answer: "unsure" });
      return Response.json({
        choices: [{ message: { role: "assistant", content }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1 },
      });
    },
  });

  get models(): string {
    return JSON.stringify({
      [STAND_IN]: { baseUrl: `http://127.0.0.1:${this.#server.port}/v1`, model: STAND_IN },
    });
  }

  [Symbol.dispose](): void {
    void this.#server.stop(true);
  }
}

/** The name of the server. */
export const STAND_IN = "stand-in";
