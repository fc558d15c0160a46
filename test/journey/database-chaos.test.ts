import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parseStoreAddress } from "../../src/config/store-address.ts";
import { seededRandom } from "../../src/intent/training/random.ts";
import { PostgresStore } from "../../src/store/postgres/postgres-store.ts";
import { shopBot } from "../support/bots.ts";
import { issueToken } from "../support/parley.ts";
import { createEmptyDatabase, whyNoPostgres } from "../support/postgres-server.ts";
import { startServerProcess } from "../support/server-process.ts";
import { isOnPostgres } from "../support/store-under-test.ts";
import { TcpProxy } from "../support/tcp-proxy.ts";
import { send } from "../torture/callers.ts";
import { MODELLED, SCRIPTED } from "../torture/folder.ts";
import { Crowd } from "../torture/instances/crowd.ts";
import { compareWithPostgres } from "../torture/instances/ledger.ts";
import { startSlowModel } from "../torture/slow-model.ts";
import { Tally } from "../torture/tally.ts";

const MAX_MS = 120_000;
const LEASE = { beatEveryMs: 400, leaseMs: 2000 };
const CAP = 30;
const CAPPED = Array.from({ length: 20 }, (_, number) => `capped-${number}`);

/** What the network between one instance and the database does, and for how long. */
const ACTS: readonly [name: string, ms: number, act: (proxy: TcpProxy) => void][] = [
  ["delays", 1500, (proxy) => void (proxy.delayMs = 80)],
  ["cuts", 10, (proxy) => proxy.cut()],
  ["passes", 500, () => {}],
  ["drops answers", 300, (proxy) => void (proxy.mode = "swallow")],
  ["cuts", 10, (proxy) => proxy.cut()],
  ["passes", 500, () => {}],
  ["freezes longer than a lease", 3000, (proxy) => void (proxy.mode = "freeze")],
  ["cuts", 10, (proxy) => proxy.cut()],
];

function heal(proxy: TcpProxy): void {
  proxy.delayMs = 0;
  proxy.mode = "pass";
}

// It needs PostgreSQL in any case: once is enough where the journeys run on both stores.
test.skipIf(whyNoPostgres !== undefined || isOnPostgres)(
  "an instance whose network to the database delays, cuts, drops and freezes costs no acknowledged message, nor a second answer, and comes back by itself",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "parley-test-"));
    const { url, drop } = await createEmptyDatabase();
    await using proxy = await TcpProxy.start(Number(new URL(url).port));
    const behind = new URL(url);
    behind.port = String(proxy.port);
    const random = seededRandom(1);
    await using model = await startSlowModel(random);
    {
      await using store = await PostgresStore.open({ address: parseStoreAddress(url), now: Date.now });
      const bots = [
        shopBot({ id: SCRIPTED }),
        shopBot({ id: MODELLED, responder: { kind: "model" } }),
        ...CAPPED.map((id) => shopBot({ id, monthlyMessageCap: CAP })),
      ];
      await store.bots.seed(bots, { prune: false, dryRun: false });
      const token = await issueToken(store, [SCRIPTED, MODELLED, ...CAPPED]);
      const start = (address: string) =>
        startServerProcess({
          store: { data: dataDir, store: address },
          modelUrl: model.url,
          lease: LEASE,
        });
      await using disturbed = await start(behind.href);
      await using other = await start(url);
      const urls = [disturbed.url, other.url];
      const fleet = { size: urls.length, urlOf: (place: number) => urls[place]! };
      const crowd = new Crowd({ fleet, token, callers: 16, random, cappedBots: CAPPED.length });
      for (const [, milliseconds, act] of ACTS) {
        act(proxy);
        await Bun.sleep(milliseconds);
        heal(proxy);
      }
      const before = crowd.answers[0]!;
      for (let waited = 0; crowd.answers[0] === before && waited < 10_000; waited += 20) await Bun.sleep(20);
      await crowd.stop();
      expect(crowd.answers[0]).toBeGreaterThan(before);
      const answer = await send(
        { url: disturbed.url, token },
        { botId: SCRIPTED, input: "where is my order 0" },
      );
      expect(answer?.status).toBe(200);
      const tally = new Tally();
      await compareWithPostgres(url, crowd.acknowledged, tally, { place: "at the end", cap: CAP });
      expect([...tally.findings, ...crowd.unexpected, ...crowd.secondAnswers]).toEqual([]);
      expect(crowd.acknowledged.length).toBeGreaterThan(0);
    }
    await drop();
    rmSync(dataDir, { recursive: true });
  },
  MAX_MS,
);
