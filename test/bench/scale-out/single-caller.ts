import type { Goal } from "../goals.ts";
import { median } from "../load/plan.ts";
import { runLoad } from "../load/run-load.ts";
import type { BenchServer } from "../servers/serve.ts";
import { chatRequests, type Shop } from "../servers/shop.ts";
import { RoundTrips } from "./round-trips.ts";
import { openSample } from "./sample.ts";

const ROUNDS = 7;
/** Messages per conversation: so few that no message reads the conversation, and so many that nearly every message does. */
const KINDS = [
  { name: "first messages", turns: 1, isRead: false },
  { name: "messages that go on", turns: 1000, isRead: true },
];

/** The servers, with a shop on each. */
interface Talked {
  server: BenchServer;
  shop: Shop;
}

/** Times of one round, in milliseconds, p50. */
interface Round {
  postgres: number;
  storeless: number;
  /** The statements of a message by the bare driver. */
  bare: number;
}

/**
 * Time that PostgreSQL adds to a message at one caller, beyond the round trips of its statements. The three that are compared take turns,
 * because round trips on a busy machine differ by more than that time; the median round counts.
 */
export async function measureSingleCaller(
  { postgres, storeless, url }: { postgres: Talked; storeless: Talked; url: string },
  seconds: number,
): Promise<Goal[]> {
  await using sample = await openSample(url, postgres.shop.botId);
  await using roundTrips = new RoundTrips(url, sample);
  const goals: Goal[] = [];
  console.log(`\n${"1 caller, p50 ms".padEnd(40)}PostgreSQL  no store  round trips  the rest`);
  for (const { name, turns, isRead } of KINDS) {
    const rounds: Round[] = [];
    while (rounds.length < ROUNDS) {
      rounds.push({
        postgres: await talk(postgres, turns, seconds),
        bare: await roundTrips.measure(isRead),
        storeless: await talk(storeless, turns, 1),
      });
    }
    const rest = median(rounds.map((round) => round.postgres - round.storeless - round.bare));
    const columns = [
      ...(["postgres", "storeless", "bare"] as const).map((column) => middle(rounds, column)),
      rest,
    ];
    console.log(`${name.padEnd(40)}${columns.map((ms) => ms.toFixed(2).padStart(11)).join("")}`);
    goals.push({ what: `1 caller, ${name}, p50 over round trips: ms`, value: rest, atMost: 0.3 });
  }
  return goals;
}

function middle(rounds: readonly Round[], column: keyof Round): number {
  return median(rounds.map((round) => round[column]));
}

async function talk({ server, shop }: Talked, turns: number, seconds: number): Promise<number> {
  const requests = chatRequests(server.url, shop);
  const { p50Ms } = await runLoad({ origin: server.url, requests, callers: 1, turns, seconds });
  return p50Ms;
}
