import type { Now } from "../../domain/time.ts";
import type { Engine } from "../sql/work.ts";
import type { SqlChanges } from "./changes.ts";

/** Base class of the parts of the store whose statements run on either engine, SQLite or PostgreSQL (see `Work`). */
export abstract class StorePart<OwnEngine extends Pick<Engine, "read"> = Engine> {
  protected readonly engine: OwnEngine;

  constructor(engine: OwnEngine) {
    this.engine = engine;
  }
}

/** A part that writes each change to the audit log in the same transaction, so that neither exists without the other. */
export abstract class AuditedPart extends StorePart {
  protected readonly now: Now;
  protected readonly changes: Pick<SqlChanges, "append" | "actor">;

  constructor(engine: Engine, now: Now, changes: Pick<SqlChanges, "append" | "actor">) {
    super(engine);
    this.now = now;
    this.changes = changes;
  }
}
