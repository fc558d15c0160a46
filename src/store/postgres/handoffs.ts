import type { EpochMs } from "../../domain/time.ts";
import { closingOf, type HandoffRow, handoffFromRow, repeatedHandoff } from "../handoffs.ts";
import type {
  HandoffFilter,
  HandoffOutcome,
  HandoffStore,
  NewHandoff,
  StoredHandoff,
} from "../interface/handoffs.ts";
import type { PostgresChanges } from "./changes.ts";
import type { Parameter, Queries } from "./connection.ts";
import { addDeliveries } from "./outbox.ts";
import type { Pool } from "./pool.ts";

const SELECT_HANDOFF = `
SELECT handoffs.id, conversation_id, bots.id AS bot_id, state, fields, shares_transcript::int4 AS shares_transcript,
  handoffs.created_at::float8 AS created_at, handoffs.updated_at::float8 AS updated_at, body_hash
FROM handoffs JOIN conversations ON conversations.id = conversation_id JOIN bots ON bots.key = bot_key`;

const NEW_CONVERSATION = `
INSERT INTO conversations (id, bot_key, created_at) SELECT $1, key, $3 FROM bots WHERE key = $2 ON CONFLICT (id) DO NOTHING`;

/** Two hand-offs of one conversation, or of one key, wait for each other at its row. */
const LOCK_CONVERSATION = "SELECT id FROM conversations WHERE id = $1 AND bot_key = $2 FOR UPDATE";

const INSERT = `
INSERT INTO handoffs
  (id, conversation_id, state, fields, shares_transcript, created_at, updated_at, key_hash, body_hash)
VALUES ($1, $2, 'open', $3, $4::bool, $5, $5, $6, $7)
ON CONFLICT (key_hash) WHERE key_hash IS NOT NULL DO NOTHING RETURNING id`;

const CLOSE =
  "UPDATE handoffs SET state = 'closed', updated_at = $2 WHERE id = $1 AND state <> 'closed' RETURNING id";

const LIST = `
${SELECT_HANDOFF} WHERE ($1::bigint IS NULL OR bot_key = $1) AND ($2::text IS NULL OR state = $2)
  AND ($3::text IS NULL OR handoffs.id < $3 COLLATE "C")
ORDER BY handoffs.id DESC LIMIT $4`;

/** Visitors who asked for a person. */
export class PostgresHandoffs implements HandoffStore {
  readonly #pool: Pool;
  readonly #changes: PostgresChanges;

  constructor(pool: Pool, changes: PostgresChanges) {
    this.#pool = pool;
    this.#changes = changes;
  }

  open(handoff: NewHandoff): Promise<HandoffOutcome> {
    return this.#pool.transaction((queries) => openHandoff(queries, handoff));
  }

  async find(id: string): Promise<StoredHandoff | undefined> {
    const row = await findWhere(this.#pool, "handoffs.id = $1", id);
    return row && handoffFromRow(row);
  }

  async list({ bot, state, before, limit }: HandoffFilter): Promise<StoredHandoff[]> {
    const values = [bot ?? null, state ?? null, before ?? null, limit];
    return (await this.#pool.query<HandoffRow>(LIST, values)).map(handoffFromRow);
  }

  close(id: string, at: EpochMs): Promise<boolean> {
    return this.#pool.transaction(async (queries) => {
      const [closed] = await queries.query(CLOSE, [id, at]);
      if (!closed) return false;
      const row = await findWhere(queries, "handoffs.id = $1", id);
      await this.#changes.append(queries, closingOf({ ...handoffFromRow(row!), state: "open" }));
      return true;
    });
  }
}

async function openHandoff(queries: Queries, handoff: NewHandoff): Promise<HandoffOutcome> {
  const { id, conversationId, bot, at, fields, sharesTranscript, idempotency } = handoff;
  const earlier = idempotency && (await findWhere(queries, "key_hash = $1", idempotency.keyHash));
  if (earlier) return repeatedHandoff(earlier, handoff);
  await queries.query(NEW_CONVERSATION, [conversationId, bot, at]);
  const [locked] = await queries.query(LOCK_CONVERSATION, [conversationId, bot]);
  if (!locked) return { outcome: "bot_deleted" };
  const open = await findWhere(queries, "conversation_id = $1 AND state <> 'closed'", conversationId);
  if (open) return { outcome: "already_open", handoff: handoffFromRow(open) };
  const { keyHash = null, bodyHash = null } = idempotency ?? {};
  const values = [id, conversationId, JSON.stringify(fields), sharesTranscript, at, keyHash, bodyHash];
  const inserted = await queries.query(INSERT, values);
  if (inserted.length === 0) {
    const other = await findWhere(queries, "key_hash = $1", idempotency!.keyHash);
    return repeatedHandoff(other!, handoff);
  }
  await addDeliveries(queries, handoff.deliveries, { conversationId, subject: id, at });
  const row = await findWhere(queries, "handoffs.id = $1", id);
  return { outcome: "opened", handoff: handoffFromRow(row!) };
}

async function findWhere(
  queries: Queries,
  condition: string,
  value: Parameter,
): Promise<HandoffRow | undefined> {
  const [row] = await queries.query<HandoffRow>(`${SELECT_HANDOFF} WHERE ${condition}`, [value]);
  return row;
}
