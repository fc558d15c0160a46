import type { Random } from "../../src/intent/training/random.ts";
import { type TestModelServer, says, startModelServer } from "../support/model-server.ts";

const SLOWEST_MS = 300;

/** A model server that thinks for a while, each time for another one. */
export interface SlowModel extends AsyncDisposable {
  url: string;
  /** Turns that a server waits for now. */
  readonly turns: number;
  /** What was asked so far is forgotten. */
  forget(): void;
}

export async function startSlowModel(random: Random): Promise<SlowModel> {
  const mock: TestModelServer = await startModelServer();
  let turns = 0;
  const answer = () =>
    mock.replyWith(async (response, request) => {
      turns++;
      response.on("close", () => turns--);
      await Bun.sleep(random() * SLOWEST_MS);
      if (!response.destroyed) await says("It is on its way, says the model.")(response, request);
    });
  answer();
  return {
    url: mock.baseUrl,
    get turns() {
      return turns;
    },
    forget: answer,
    [Symbol.asyncDispose]: () => mock[Symbol.asyncDispose](),
  };
}
