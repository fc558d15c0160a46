import { describe, expect, test } from "bun:test";

import type { EmbedTokenId } from "../../../../src/domain/ids.ts";
import { createMetrics } from "../../../../src/metrics.ts";
import { examineBackups, judgeBackups } from "../../../../src/operate/doctor/backups.ts";
import { judgeClock } from "../../../../src/operate/doctor/clock.ts";
import { judgeDiskSpace, judgeFileSystem, judgeWriteAheadLog } from "../../../../src/operate/doctor/disk.ts";
import { judgeEmbedTokens } from "../../../../src/operate/doctor/embed-tokens.ts";
import { cureNoAccess } from "../../../../src/operate/doctor/examine-folder.ts";
import { examineDriver, judgeContents, temporaryFolder } from "../../../../src/operate/doctor/examine.ts";
import { type Finding, fine, formatSpan, worstOf } from "../../../../src/operate/doctor/finding.ts";
import { examineIntegrity } from "../../../../src/operate/doctor/integrity.ts";
import { judgeListener, judgeReadiness } from "../../../../src/operate/doctor/listeners.ts";
import { judgeRights } from "../../../../src/operate/doctor/rights.ts";
import { judgeAssets, judgeProxy, judgeStorage } from "../../../../src/operate/doctor/server-metrics.ts";
import { judgeWebhooks } from "../../../../src/operate/doctor/webhooks.ts";
import { clockState } from "../../../../src/store/clock-guard.ts";
import { networkFileSystem } from "../../../../src/store/sqlite/network-file-system.ts";

const MB = 1024 * 1024;
const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 22, 12);

/** Whatever is not fine comes with a cure. */
function severityOf(finding: Finding): string {
  if (finding.severity !== "fine") expect(finding.cure.length).toBeGreaterThan(10);
  return finding.severity;
}

describe("disk space", () => {
  const roomy = { freeBytes: 10_000 * MB, freeFiles: 1000, files: 2000, databaseBytes: 100 * MB };
  test.each([
    ["plenty", {}, "fine"],
    ["less than a busy month needs", { freeBytes: 300 * MB }, "mend"],
    ["less than a copy of the database needs", { databaseBytes: 20_000 * MB }, "mend"],
    ["next to nothing", { freeBytes: 5 * MB }, "broken"],
    ["no more files", { freeFiles: 0 }, "broken"],
    ["a file system that counts no files", { freeFiles: 0, files: 0 }, "fine"],
  ])("%s", (_, space, severity) => {
    expect(severityOf(judgeDiskSpace({ ...roomy, ...space }))).toBe(severity);
  });
});

test("a disk that fills up is told with the bound, and with what is refused first", () => {
  const { message } = judgeDiskSpace({ freeBytes: 41_200_000, freeFiles: 1, files: 2, databaseBytes: 4096 });
  expect(message).toStartWith("41.2 MB free, of 536.9 MB that should be");
  expect(message).toContain("backups");
});

describe("a file system", () => {
  test.each([
    ["ext4", 0xef53, "fine"],
    ["a file system in memory", 0x01021994, "fine"],
    ["NFS", 0x6969, "mend"],
    ["SMB", 0xff534d42, "mend"],
    ["SMB, as a number with a sign", 0xff534d42 | 0, "mend"],
    ["SMB", 0xfe534d42, "mend"],
    ["SMB", 0x517b, "mend"],
    ["9p", 0x01021997, "mend"],
  ])("%s (%i)", (_, type, severity) => {
    const finding = judgeFileSystem("/data", networkFileSystem(type));
    expect(severityOf(finding)).toBe(severity);
    expect(finding.message.includes("/data is on a network file system")).toBe(severity === "mend");
  });
});

describe("rights", () => {
  test.each([
    ["the owner alone", 0o40700, 0o100600, "fine"],
    ["a file that others may read, behind a door that is shut", 0o40700, 0o100644, "fine"],
    ["a folder that the group may look into", 0o40750, 0o100600, "hint"],
    ["a folder that others may look into", 0o40755, 0o100600, "mend"],
    ["a file that others may read", 0o40711, 0o100604, "mend"],
  ])("%s", (_, folder, mode, severity) => {
    expect(severityOf(judgeRights("data", folder, [{ name: "parley.db", mode }]))).toBe(severity);
  });

  test("names the files that everybody can reach", () => {
    const files = [
      { name: "parley.db", mode: 0o100644 },
      { name: "demo.token", mode: 0o100600 },
    ];
    const { message } = judgeRights("data", 0o40755, files);
    expect(message).toContain("`parley.db`");
    expect(message).not.toContain("demo.token");
  });
});

test("a folder of one's own that is shut is opened with chmod, another's with its user or chown", () => {
  expect(cureNoAccess("data", 1000, 1000)).toContain("chmod u+rwX data");
  const foreign = cureNoAccess("data", 0, 1000);
  expect(foreign).toContain("(uid 0)");
  expect(foreign).toContain("chown");
  expect(foreign).not.toContain("chmod");
});

test.each([
  [20_000, "1 minute"],
  [89_000, "1 minute"],
  [5 * 60_000, "5 minutes"],
  [3 * HOUR, "3 hours"],
  [2 * DAY, "2 days"],
])("%d ms are %s", (milliseconds, text) => {
  expect(formatSpan(milliseconds)).toBe(text);
});

describe("driver", () => {
  test("that loads is fine", () => {
    expect(severityOf(examineDriver({}))).toBe("fine");
  });

  test("that cannot be mapped is broken, and the folder is named", () => {
    const finding = examineDriver({ BUN_TMPDIR: "/mnt/noexec" }, () => {
      throw new Error("failed to map segment from shared object");
    });
    expect(severityOf(finding)).toBe("broken");
    expect(finding.message).toContain("/mnt/noexec");
    expect(finding.message).toContain("failed to map segment");
  });

  test.each([
    [{ BUN_TMPDIR: "/a", TMPDIR: "/b" }, "/a"],
    [{ TMPDIR: "/b", TMP: "/c" }, "/b"],
    [{ BUN_TMPDIR: "" }, "/tmp"],
  ])("%j is unpacked to %s", (env, folder) => {
    expect(temporaryFolder(env)).toBe(folder);
  });
});

describe("clock", () => {
  const clockAfter = (milliseconds: number) => clockState(NOW - milliseconds, NOW, 0);
  const witnesses = { now: NOW, latestTurnAt: NOW - HOUR, clock: clockAfter(HOUR), builtFrom: "2026-11-20" };
  test.each([
    ["right", {}, "fine"],
    ["without a witness", { latestTurnAt: undefined, clock: undefined, builtFrom: undefined }, "fine"],
    ["before the executable was made", { builtFrom: "2026-12-24" }, "mend"],
    ["before the latest message", { latestTurnAt: NOW + HOUR }, "mend"],
    ["a little before the latest message of another machine", { latestTurnAt: NOW + 60_000 }, "fine"],
    ["two years after a server last ran", { clock: clockAfter(730 * DAY) }, "mend"],
    ["a weekend after a server last ran", { clock: clockAfter(2 * DAY) }, "fine"],
  ])("%s", (_, changed, severity) => {
    expect(severityOf(judgeClock({ ...witnesses, ...changed }))).toBe(severity);
  });
});

test.each([
  [4 * MB, "fine"],
  [200 * MB, "hint"],
  [2000 * MB, "mend"],
])("a write-ahead log of %d bytes is %s", (bytes, severity) => {
  expect(severityOf(judgeWriteAheadLog(bytes))).toBe(severity);
});

describe("integrity", () => {
  const SOUND = { tables: () => ["bots", "turns"], quickCheck: () => [] };
  const seen: [string, number][] = [];

  test("tells how far it is", () => {
    expect(severityOf(examineIntegrity(SOUND, (table, share) => void seen.push([table, share])))).toBe(
      "fine",
    );
    expect(seen).toEqual([
      ["bots", 0],
      ["turns", 0.5],
    ]);
  });

  test("names what is damaged, three at most", () => {
    const quickCheck = (table: string) => (table === "bots" ? [] : ["page 7\nis bad", "b", "c", "d"]);
    const finding = examineIntegrity({ ...SOUND, quickCheck }, () => {});
    expect(severityOf(finding)).toBe("broken");
    expect(finding.message).toEndWith("turns: page 7 is bad; turns: b; turns: c, and 1 more");
  });

  test("goes on after a table that cannot be read", () => {
    const quickCheck = (table: string) => {
      if (table === "bots") throw Object.assign(new Error("malformed"), { code: "SQLITE_CORRUPT" });
      return ["bad"];
    };
    expect(examineIntegrity({ ...SOUND, quickCheck }, () => {}).message).toContain(
      "bots: malformed; turns: bad",
    );
  });

  test("a defect of ours is not taken for damage", () => {
    const quickCheck = () => {
      throw new TypeError("ours");
    };
    expect(() => examineIntegrity({ ...SOUND, quickCheck }, () => {})).toThrow("ours");
  });
});

test.each([
  ["current", "fine"],
  ["empty", "fine"],
  ["older", "hint"],
  ["newer", "broken"],
  ["foreign", "broken"],
] as const)("a database that is %s is %s", (contents, severity) => {
  expect(severityOf(judgeContents({ contents }, fine("data-folder", "there")))).toBe(severity);
});

describe("embed tokens", () => {
  const token = (name: string, fields: object) => ({ id: `et_${name}` as EmbedTokenId, ...fields });
  const judge = (...tokens: ReturnType<typeof token>[]) => judgeEmbedTokens(tokens, NOW);

  test("that last are fine", () => {
    const findings = judge(token("a", {}), token("b", { expiresAt: NOW + 90 * DAY }));
    expect(findings.map(severityOf)).toEqual(["fine"]);
  });

  test("near their end are named with the time that is left", () => {
    const [finding] = judge(token("a", { label: "home page", expiresAt: NOW + 3 * DAY }));
    expect(severityOf(finding!)).toBe("mend");
    expect(finding!.message).toBe("soon to expire: home page (et_a, in 3 days)");
  });

  test("that have expired are a hint, unless they were revoked", () => {
    const expired = { expiresAt: NOW - 5 * HOUR };
    const findings = judge(token("a", expired), token("b", { ...expired, revokedAt: NOW - DAY }));
    expect(findings.map(severityOf)).toEqual(["hint"]);
    expect(findings[0]!.message).toContain("et_a (5 hours ago)");
    expect(findings[0]!.message).not.toContain("et_b");
  });
});

describe("listeners", () => {
  test.each([
    [{ kind: "nobody" }, []],
    [{ kind: "parley", status: 200, body: "" }, []],
    [{ kind: "other" }, ["broken"]],
    [{ kind: "unreachable", reason: "ENOTFOUND" }, ["mend"]],
  ] as const)("%j at the port: %j", (occupant, severities) => {
    expect(judgeListener("port", "127.0.0.1:8787", occupant).map(severityOf)).toEqual([...severities]);
  });

  test("a server that is not ready is broken, and its reason is told", () => {
    const [finding] = judgeReadiness({ kind: "parley", status: 503, body: '{"detail":"The disk is full."}' });
    expect(severityOf(finding!)).toBe("broken");
    expect(finding!.message).toContain("503: The disk is full.");
    expect(judgeReadiness({ kind: "parley", status: 200, body: "" })).toEqual([]);
  });
});

describe("a proxy", () => {
  const metricsAfter = async (...peers: ("near" | "far")[]) => {
    const metrics = createMetrics();
    for (const peer of peers) metrics.ignoredForwarding.inc({ peer });
    return metrics.expose();
  };
  const judge = (metrics: string | undefined, fields: object = {}) =>
    judgeProxy({ trustProxy: [], publicUrl: undefined, ...fields }, metrics);

  test("that nobody saw is fine", async () => {
    expect(severityOf(judge(undefined))).toBe("fine");
    expect(severityOf(judge(await metricsAfter()))).toBe("fine");
  });

  test("on this machine whose word is not taken is to be mended", async () => {
    const finding = judge(await metricsAfter("near", "near", "far"));
    expect(severityOf(finding)).toBe("mend");
    expect(finding.message).toContain("2 times");
  });

  test("far away may be a caller who makes it up", async () => {
    expect(severityOf(judge(await metricsAfter("far")))).toBe("hint");
  });

  test("must be there where the public address is https", async () => {
    const https = { publicUrl: "https://chat.example" };
    expect(severityOf(judge(undefined, https))).toBe("mend");
    expect(severityOf(judge(undefined, { ...https, trustProxy: ["127.0.0.1/32"] }))).toBe("fine");
    expect(severityOf(judge(undefined, { publicUrl: "http://chat.example" }))).toBe("fine");
  });
});

test("a folder without backups, where no server makes them, is a hint: they may be kept elsewhere", () => {
  const [finding] = examineBackups({ data: "/nowhere", backupEvery: undefined }, NOW);
  expect(finding).toMatchObject({ check: "backups", severity: "hint" });
});

test.each([
  [NOW - HOUR, undefined, "fine"],
  [NOW - 3 * DAY, undefined, "mend"],
  [undefined, undefined, "mend"],
  [NOW - 11 * HOUR, 6 * HOUR, "fine"],
  [NOW - 13 * HOUR, 6 * HOUR, "mend"],
  [NOW - 3 * DAY, 7 * DAY, "fine"],
])("a latest backup of %p, where one is made every %p ms, is %s", (latestAt, backupEvery, severity) => {
  const times = { latestAt, folderMadeAt: NOW - 30 * DAY, now: NOW, backupEvery };
  expect(severityOf(judgeBackups("data/backups", times))).toBe(severity);
});

test.each([
  [NOW - 1000, "hint"],
  [NOW - 13 * HOUR, "mend"],
])(
  "no backup in a folder that was made at %p is %s: the first may be under way",
  (folderMadeAt, severity) => {
    const times = { latestAt: undefined, folderMadeAt, now: NOW, backupEvery: 6 * HOUR };
    expect(severityOf(judgeBackups("data/backups", times))).toBe(severity);
  },
);

test.each(["moved", "damaged", "unreliable"] as const)(
  "a server whose storage has failed, as %s, is broken",
  async (kind) => {
    const metrics = createMetrics();
    metrics.storageFailed.set({ kind }, 0);
    expect(severityOf(judgeStorage(await metrics.expose()))).toBe("fine");
    metrics.storageFailed.set({ kind }, 1);
    expect(severityOf(judgeStorage(await metrics.expose()))).toBe("broken");
  },
);

test("a server that could not store its files for browsers is to be mended before it is upgraded", async () => {
  const metrics = createMetrics();
  expect(judgeAssets(await metrics.expose())).toEqual([]);
  metrics.assetsUnstored.set(1);
  expect(judgeAssets(await metrics.expose()).map(severityOf)).toEqual(["mend"]);
});

test.each([
  [[], "fine"],
  [["fine", "hint"], "hint"],
  [["mend", "hint", "fine"], "mend"],
  [["hint", "broken", "mend"], "broken"],
] as const)("the worst of %j is %s", (severities, worst) => {
  expect(worstOf(severities.map((severity) => ({ severity })))).toBe(worst);
});

describe("events that wait for webhooks", () => {
  test.each<[string, [string, number][], string[]]>([
    ["none", [], []],
    ["some", [["crm", 9999]], ["fine"]],
    ["as many as may", [["crm", 10_000]], ["mend"]],
  ])("%s", (_, waiting, severities) => {
    expect(judgeWebhooks(new Map(waiting)).map(severityOf)).toEqual(severities);
  });
});
