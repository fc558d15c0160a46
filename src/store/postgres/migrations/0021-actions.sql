-- First, as it may have to wait for the table.
DROP INDEX deliveries_of_turns_ended;

-- Actions that visitors were asked to confirm; without any value. `hash`: keyed, of what would be done and how it was asked.
CREATE TABLE actions (
  id text COLLATE "C" PRIMARY KEY,
  hash bytea NOT NULL,
  -- asked, begun, done, failed or unsure
  state text NOT NULL,
  at bigint NOT NULL
);

CREATE INDEX actions_by_time ON actions (at);

-- Proofs that failed, or are being tried; kept for as long as one that failed counts. `caller`: a hash of bot and address.
CREATE TABLE failed_proofs (
  id text COLLATE "C" PRIMARY KEY,
  conversation text COLLATE "C" NOT NULL,
  caller bytea NOT NULL,
  -- trying or failed
  state text NOT NULL,
  at bigint NOT NULL
);

CREATE INDEX failed_proofs_by_conversation ON failed_proofs (conversation, at);
CREATE INDEX failed_proofs_by_caller ON failed_proofs (caller, at);
CREATE INDEX failed_proofs_by_time ON failed_proofs (at);

-- A webhook is told of what an action did as it is of other turns: once.
CREATE UNIQUE INDEX deliveries_of_actions_once ON deliveries (target, event, subject, bot_key)
  WHERE event IN ('action.done', 'action.failed');
CREATE INDEX deliveries_of_turns_ended ON deliveries (target, ended_at)
  WHERE event IN ('turn.refused', 'turn.unmatched', 'action.done', 'action.failed') AND ended_at IS NOT NULL;
