import type { Now } from "../../domain/time.ts";
import type { Engine } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";

/** A part of the store that runs its works on one engine. */
export abstract class StorePart<OwnEngine extends Pick<Engine, "read"> = Engine> {
  protected readonly engine: OwnEngine;

  constructor(engine: OwnEngine) {
    this.engine = engine;
  }
}

/** A part whose changes are noted in the audit log, in the transaction that makes them. */
export abstract class AuditedPart extends StorePart {
  protected readonly now: Now;
  protected readonly changes: Pick<SqlChanges, "append" | "actor">;

  constructor(engine: Engine, now: Now, changes: Pick<SqlChanges, "append" | "actor">) {
    super(engine);
    this.now = now;
    this.changes = changes;
  }
}
