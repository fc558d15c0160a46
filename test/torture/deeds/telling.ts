import { eventually } from "../../support/eventually.ts";
import { Receiver, WEBHOOK_SECRET } from "../../support/webhook-receiver.ts";
import { TEAM } from "../folder.ts";
import type { DeedParts } from "./deed.ts";

interface Delivery {
  id: string;
  handoffId: string;
  state: string;
}

const REFUSED_SHARE = 0.1;
const DELIVERIES =
  "SELECT id, subject AS \"handoffId\", state FROM deliveries WHERE event = 'handoff.requested'";

/** A team that is told of hand-offs by a webhook, and sometimes does not listen. */
export class Team implements Disposable {
  readonly #parts: DeedParts;
  readonly #receiver = new Receiver();
  /** By the delivery's id: the hand-off, and in which rounds it was taken. */
  readonly #taken = new Map<string, { handoffId: string; rounds: number[] }>();
  /** Deliveries that were stored as delivered before this round. */
  readonly #settled = new Set<string>();
  #round = 0;
  #isRefusing = true;

  constructor(parts: DeedParts) {
    this.#parts = parts;
    this.#receiver.answer = () => this.#answer();
  }

  /** Where it is told. */
  get env(): Record<string, string> {
    const { url } = this.#receiver;
    return {
      PARLEY_WEBHOOKS: JSON.stringify({
        [TEAM]: { url, secretEnv: "TEAM_SECRET", events: ["handoff.requested"] },
      }),
      TEAM_SECRET: WEBHOOK_SECRET,
    };
  }

  #answer(): Response {
    const { random, tally } = this.#parts;
    const { headers, body } = this.#receiver.received.at(-1)!;
    const id = headers["webhook-id"]!;
    const { handoffId } = (JSON.parse(body) as { data: { handoffId: string } }).data;
    if (this.#settled.has(id)) tally.note("toldWrongly", `${id} was told again after it was delivered`);
    if (this.#isRefusing && random() < REFUSED_SHARE) return new Response("not now", { status: 503 });
    const taken = this.#taken.get(id) ?? { handoffId, rounds: [] };
    if (taken.rounds.length === 0) tally.tried.deliveries++;
    // While nobody is killed, one try is enough. A server that was killed may have died before it could store that.
    if (taken.rounds.includes(this.#round)) tally.note("toldWrongly", `${id} was told twice within a round`);
    taken.rounds.push(this.#round);
    this.#taken.set(id, taken);
    return new Response("ok");
  }

  /** Compares what is stored with what it was told, while no server runs. */
  async compare(place: string): Promise<void> {
    const { folder, tally } = this.#parts;
    const deliveries = await folder.rows<Delivery>(DELIVERIES);
    for (const { id, handoffId, state } of deliveries) {
      if (state === "delivered" && this.#taken.get(id)?.handoffId !== handoffId)
        tally.note("lost", `${place}: ${id} is stored as delivered, and nobody was told`);
      if (state === "given-up") tally.note("lost", `${place}: ${id} was given up`);
      if (state === "delivered") this.#settled.add(id);
    }
    const stored = new Set(deliveries.map(({ id }) => id));
    for (const id of this.#taken.keys()) {
      if (!stored.has(id)) tally.note("toldWrongly", `${place}: ${id} was told of, and is not stored`);
    }
    const silent = await folder.rows(
      "SELECT id FROM handoffs WHERE id NOT IN (SELECT subject FROM deliveries)",
    );
    tally.note("lost", `${place}: hand-offs that nobody is to be told of`, silent.length);
    this.#round++;
  }

  /**
   * What a kill cut is tried again when its lease of two minutes has run out, and what was refused twice after five minutes. Both are
   * passed over, while no server runs; from then on the team listens.
   */
  async passTime(): Promise<void> {
    this.#isRefusing = false;
    await this.#parts.folder.rows("UPDATE deliveries SET next_at = 0 WHERE next_at IS NOT NULL");
  }

  /** What is in the outbox is told by whichever server runs. */
  async waitForAll(place: string): Promise<void> {
    const { folder, tally } = this.#parts;
    const waiting = async () =>
      (await folder.rows<Delivery>(DELIVERIES)).filter(({ state }) => state === "waiting").length;
    await eventually(async () => (await waiting()) === 0).catch(async () => {
      tally.note("lost", `${place}: deliveries that are still waiting`, await waiting());
    });
  }

  [Symbol.dispose](): void {
    this.#receiver[Symbol.dispose]();
  }
}
