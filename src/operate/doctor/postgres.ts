import type { Config } from "../../config/config.ts";
import type { StoreAddress } from "../../config/store-address.ts";
import type { Now } from "../../domain/time.ts";
import type { StoredBot } from "../../store/interface/bots.ts";
import { PostgresStore } from "../../store/postgres/postgres-store.ts";
import { UnusableDatabaseError } from "../../store/unusable-database.ts";
import { examineEncoder, judgeCounting } from "./backlog.ts";
import { examineBots } from "./bots.ts";
import { type ClockWitnesses, judgeClock } from "./clock.ts";
import { judgeEmbedTokens } from "./embed-tokens.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { judgeFailedNotices } from "./handoffs.ts";
import { examineTests, type Testing } from "./tests.ts";
import { judgeWebhooks } from "./webhooks.ts";

const STORE = findingsOf("store");

interface PostgresPatient {
  config: Config;
  now: Now;
  isQuick: boolean;
  testing: Testing;
}

const CURE =
  "see that the address, the role and the password are right, and that PostgreSQL runs (`psql` with the same address)";

/** Whether the database can be reached, has this version's schema, and contains usable bots. Nothing is written or migrated. */
export async function* examinePostgres(
  address: StoreAddress,
  patient: PostgresPatient,
  witnesses: Omit<ClockWitnesses, "now">,
): AsyncGenerator<Finding> {
  const { now } = patient;
  try {
    const state = await PostgresStore.look(address);
    yield judgeSchema(address, state);
    if (state !== "current") yield judgeClock({ ...witnesses, now: now() });
    else yield* examineContents(address, patient, witnesses);
  } catch (error) {
    if (!(error instanceof UnusableDatabaseError)) throw error;
    yield STORE.broken(error.message, CURE);
  }
}

async function* examineContents(
  address: StoreAddress,
  { config, now, isQuick, testing }: PostgresPatient,
  witnesses: Omit<ClockWitnesses, "now">,
): AsyncGenerator<Finding> {
  await using store = await PostgresStore.open({ address, now });
  yield judgeClock({ ...witnesses, now: now(), clock: await store.clockState(now()) });
  const runTests = (bots: readonly StoredBot[]) => examineTests(store, bots, testing);
  yield* await examineBots(store, config, now(), isQuick ? undefined : runTests);
  yield* judgeEmbedTokens(await store.embedTokens.list(), now());
  yield* judgeWebhooks(await store.outbox.countWaitingTurns());
  yield judgeCounting(await store.analytics.countingState(), now());
  yield await examineEncoder(store.vectors, config);
  yield* judgeFailedNotices(await store.outbox.listFailedNotices(), now());
}

type Unfit = Extract<Finding, { cure: string }>;

/** Messages for unsuitable contents; the address comes first. */
const UNFIT: Record<
  "older" | "newer" | "empty" | "half-copied",
  Pick<Unfit, "severity" | "message" | "cure">
> = {
  empty: {
    severity: "mend",
    message: "answers, and holds nothing of Parley",
    cure: "make it with `parley seed`, or correct the address",
  },
  older: {
    severity: "hint",
    message: "is of an older Parley: the next start brings it up to date",
    cure: "dump it before (`pg_dump`), as there is no way back",
  },
  newer: {
    severity: "broken",
    message: "was written by a newer Parley, and this one refuses it",
    cure: "run the newer executable",
  },
  "half-copied": {
    severity: "broken",
    message: "holds a copy that is not finished, and no server takes it",
    cure: "run the same `parley copy` again, which continues where it stopped",
  },
};

function judgeSchema({ shown }: StoreAddress, state: "current" | keyof typeof UNFIT): Finding {
  if (state === "current") return STORE.fine(`${shown} answers, and is up to date`);
  const { severity, message, cure } = UNFIT[state];
  return STORE[severity](`${shown} ${message}`, cure);
}
