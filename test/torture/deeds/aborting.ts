import { cappedModel, INPUT } from "../folder.ts";
import type { Acknowledged } from "../ledger.ts";
import type { OperatedLine } from "./ask.ts";
import { ServerGone } from "./ask.ts";
import type { Deed, DeedParts } from "./deed.ts";

/** A model thinks for up to 300 ms. */
const MAX_PATIENCE_MS = 350;
const STREAM_SHARE = 0.3;
const KEYED_SHARE = 0.3;
const PATIENT_SHARE = 0.25;

/** Callers who leave while a model is being asked, most of them, of bots with a cap. */
export class Aborting implements Deed {
  readonly hands = 6;
  /** Of those who stayed. */
  readonly acknowledged: Acknowledged[] = [];
  /** Messages that a bot was sent. */
  readonly sent = new Map<string, number>();
  readonly #parts: DeedParts;

  constructor(parts: DeedParts) {
    this.#parts = parts;
  }

  async act({ url, token }: OperatedLine, round: number): Promise<void> {
    const { random, tally, nextNumber } = this.#parts;
    const botId = cappedModel(round);
    const input = `${INPUT} ${nextNumber()}`;
    const isStream = random() < STREAM_SHARE;
    const isKeyed = random() < KEYED_SHARE;
    const leaving = new AbortController();
    const patience = random() < PATIENT_SHARE ? undefined : random() * MAX_PATIENCE_MS;
    const timer = patience === undefined ? undefined : setTimeout(() => leaving.abort(), patience);
    this.sent.set(botId, (this.sent.get(botId) ?? 0) + 1);
    try {
      const answer = await fetch(`${url}/chat`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${token}`,
          "Content-Type": "application/json",
          ...(isStream && { Accept: "text/event-stream" }),
          ...(isKeyed && {
            "Idempotency-Key":
              `the key of a caller who leaves`.replaceAll(" ", "-") + input.length + nextNumber(),
          }),
        },
        body: JSON.stringify({ botId, input }),
        signal: leaving.signal,
      });
      const text = await answer.text();
      if (answer.status === 200 && !isStream) {
        const { conversationId, response } = JSON.parse(text) as Acknowledged;
        this.acknowledged.push({ botId, conversationId, input, response });
      } else if (answer.status === 503) {
        tally.tried.unavailable++;
      } else if (![200, 429].includes(answer.status)) {
        tally.note("unexpected", `a caller who may leave got ${answer.status}: ${text}`);
      }
    } catch (cause) {
      if (!leaving.signal.aborted) throw new ServerGone(url, { cause });
      tally.tried.aborted++;
    } finally {
      clearTimeout(timer);
    }
  }

  /** The ledger of messages compares its bots with all others. */
  async check(): Promise<void> {}
}
