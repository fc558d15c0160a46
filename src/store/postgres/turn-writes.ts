import type { TurnKey } from "../interface/conversations.ts";
import type { CommitObservation } from "../turn-store.ts";
import type { BeginOutcome, RecordOutcome, TurnToBegin, TurnToRecord } from "../turn-store.ts";
import type { Connection } from "./connection.ts";
import { brokenConstraint, CONSTRAINTS, isConflict, isLost, isRace, MAX_RACES, sqlState } from "./failure.ts";
import { Grouped } from "./grouped.ts";
import type { PostgresInstances } from "./instances.ts";
import type { Pool } from "./pool.ts";
import { deleteExpiredKeys, type GroupedTurn, type Stored, storeGroup } from "./turn-group.ts";

/** Two connections let the next group form while one is written; more brought nothing (measured). */
export const WRITE_CONNECTIONS = 2;

interface TurnWritesParts {
  pool: Pool;
  instances: PostgresInstances;
  onCommit?: (observation: CommitObservation) => void;
}

/** Stores messages in groups: messages that arrive while a group is written share the next. */
export class PostgresTurnWrites {
  readonly #parts: TurnWritesParts;
  readonly #groups: Grouped<GroupedTurn, Stored>;

  constructor(parts: TurnWritesParts) {
    this.#parts = parts;
    this.#groups = new Grouped({
      run: (group) => this.#storeGroup(group),
      lanes: WRITE_CONNECTIONS,
      isOfOneItem: (error) => sqlState(error) !== undefined,
    });
  }

  async record(record: TurnToRecord): Promise<RecordOutcome> {
    const { verdict } = await this.#groups.add({ record, isBegun: false });
    if (verdict === "stored") return "recorded";
    if (verdict === "budget_spent") throw new Error("a message that asks no model has no budget");
    return verdict;
  }

  async begin(record: TurnToBegin): Promise<BeginOutcome> {
    const { verdict, instance } = await this.#groups.add({ record, isBegun: true });
    if (verdict !== "stored") return { outcome: verdict };
    return { outcome: "begun", key: record.turn.requestId as string as TurnKey, instance };
  }

  idle(): Promise<void> {
    return this.#groups.idle();
  }

  async #storeGroup(group: readonly GroupedTurn[]): Promise<Stored[]> {
    const startedAt = performance.now();
    const stored = await this.#parts.pool.run((connection) => this.#race(connection, group));
    this.#parts.onCommit?.({ groupSize: group.length, milliseconds: performance.now() - startedAt });
    return stored;
  }

  /** If another server inserted a key or a place in a conversation first, the group is stored again with that row in view. */
  async #race(connection: Connection, group: readonly GroupedTurn[]): Promise<Stored[]> {
    const { instances } = this.#parts;
    if (!instances.isEntered && group.some(({ isBegun }) => isBegun)) await instances.join(connection);
    for (let races = 0; ; races += 1) {
      try {
        return await storeGroup(connection, group, instances.own);
      } catch (error) {
        if (isLost(error) || isConflict(error) || races >= MAX_RACES) throw error;
        await this.#giveWay(connection, group, error);
      }
    }
  }

  /** @throws the error, if no other server can have caused it. */
  async #giveWay(connection: Connection, group: readonly GroupedTurn[], error: unknown): Promise<void> {
    const constraint = brokenConstraint(error);
    if (constraint === CONSTRAINTS.keyTaken) return deleteExpiredKeys(connection, group);
    if (constraint === CONSTRAINTS.instanceGone) return this.#parts.instances.join(connection);
    if (!isRace(error)) throw error;
  }
}
