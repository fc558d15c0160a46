/**
 * A model server that returns each message's standalone question from the data, and chooses no answer. So it measures the value of such a question,
 * and no model. Implements the part of OpenAI's chat completions that Parley uses, on loopback.
 */
export class StandIn implements Disposable {
  /** Number of requests. */
  asked = 0;
  /** The standalone question for the next message. */
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
