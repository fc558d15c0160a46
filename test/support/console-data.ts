import type { HandoffEvent } from "../../src/domain/handoff.ts";
import type { Operator, OperatorKey, Session } from "../../src/domain/operator/access.ts";
import { PERMISSIONS_OF, type Role } from "../../src/domain/operator/access.ts";
import type { BotSummary } from "../../src/domain/operator/bots.ts";
import type {
  ConversationDetails,
  ConversationRow,
  ConversationTurn,
  ReceiptView,
} from "../../src/domain/operator/conversations.ts";
import type { DeliveryRow, HandoffRow } from "../../src/domain/operator/handoffs.ts";
import type { Outcome, Overview } from "../../src/domain/operator/overview.ts";
import type { AuditRow, ModelRow, ServerHealth, TokenRow } from "../../src/domain/operator/server.ts";

/** Sun 22 Nov 2026, 14:06:02 UTC: the instant of the samples. */
export const NOW = Date.UTC(2026, 10, 22, 14, 6, 2);
const MINUTE = 60_000;
const DAY = 86_400_000;

export function sessionOf(role: Role, hasPassword = true): Session {
  return {
    operator: { name: "ops@acme", role },
    permissions: [...PERMISSIONS_OF[role]],
    hasPassword,
    version: "0.4.0",
    publicUrl: "https://chat.example",
  };
}

const bot = (id: string, name: string, more: Partial<BotSummary> = {}): BotSummary => ({
  id,
  name,
  enabled: true,
  version: 12,
  origin: "file",
  intents: 22,
  updatedAt: NOW - 13 * DAY,
  messages: 27_914,
  hasDraft: false,
  ...more,
});

export const BOTS: BotSummary[] = [
  bot("acme-support", "Acme Support", { cap: 50_000 }),
  bot("riverside-clinic", "Riverside Clinic", { messages: 8140, cap: 20_000 }),
  bot("city-kiosk", "City Kiosk", { enabled: false, messages: 2203 }),
];

/** Thirty days of messages: fewer at weekends, and with lower understanding at the end. */
export function overviewOf(compare: boolean): Overview {
  const to = NOW;
  const from = Math.floor(NOW / DAY) * DAY - 29 * DAY;
  const buckets = Array.from({ length: 30 }, (_, at) => {
    const day = from + at * DAY;
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const messages = Math.round((isWeekend ? 1190 : 2080) * (at === 24 ? 1.55 : 1) + ((at * 37) % 90));
    const asked = Math.round(messages * 0.047);
    const unmatched = Math.round(messages * (at > 22 ? 0.052 : 0.025));
    const refused = Math.round(messages * 0.05);
    const failed = at === 19 ? 61 : at % 7 === 0 ? 1 : 0;
    return {
      at: day,
      answered: messages - asked - unmatched - refused - failed,
      asked,
      unmatched,
      refused,
      failed,
    };
  });
  const total = (outcome: Outcome) => buckets.reduce((sum, bucket) => sum + bucket[outcome], 0);
  const outcomes = {
    answered: total("answered"),
    asked: total("asked"),
    unmatched: total("unmatched"),
    refused: total("refused"),
    failed: total("failed"),
  };
  const messages = Object.values(outcomes).reduce((sum, each) => sum + each, 0);
  return {
    from,
    to,
    bucketMs: DAY,
    buckets,
    sums: { ...outcomes, messages, conversations: 17_902, ratedUp: 1204, ratedDown: 187 },
    ...(compare && {
      before: {
        answered: 42_601,
        asked: 2364,
        unmatched: 1158,
        refused: 2316,
        failed: 48,
        messages: 48_487,
        conversations: 15_410,
        ratedUp: 990,
        ratedDown: 171,
      },
    }),
    countedTo: to - 2000,
    topIntents: [
      ["orders.status", "acme-support", 9214, 8692],
      ["returns.start", "acme-support", 4377, 4291],
      ["shipping.cost", "acme-support", 3902, 3752],
      ["appointments.book", "riverside-clinic", 3655, 3692],
      ["payments.voucher", "acme-support", 3120, 1660],
      ["products.sizing", "acme-support", 2746, 2666],
      ["medical.advice", "riverside-clinic", 1022, 1040],
      ["social.thanks", "acme-support", 980, 0],
    ].map(([intent, id, turns, before]) => ({
      intent: intent as string,
      bot: id as string,
      turns: turns as number,
      ...(compare && { before: before as number }),
    })),
    usage: [
      {
        bot: "riverside-clinic",
        messages: 8140,
        cap: 20_000,
        modelTokens: 1_612_480,
        tokenBudget: 2_000_000,
      },
      { bot: "acme-support", messages: 27_914, cap: 50_000, modelTokens: 0 },
      { bot: "city-kiosk", messages: 2203, modelTokens: 0 },
    ],
    latency: { p50: 1.4, p95: 3.1, p99: 6.2, since: NOW - 6 * DAY },
    waiting: 47,
    waitingMessages: 1630,
  };
}

/** Text from outside that must stay plain text. */
export const HOSTILE =
  '<img src=x onerror="document.title=\'pwned\'"> del\u200Bete my acc\u202Eount javascript:alert(1) <script>document.title="pwned"</script>';

interface Said {
  id: string;
  bot: string;
  minutesAgo: number;
  outcome: Outcome;
  intent: string | null;
  input: string;
  turns: number;
}

const SAID: Said[] = [
  ["where is my order?", 4, "refused", "account.deletion", "acme-support", 3],
  ["can I return boots I wore once outside", 8, "answered", "returns.start", "acme-support", 2],
  ["i need a VAT invoice", 15, "asked", null, "acme-support", 2],
  [
    "Can I bring forward my appointment on Thursday?",
    17,
    "answered",
    "appointments.book",
    "riverside-clinic",
    3,
  ],
  ["is amazon cheaper than you", 22, "refused", "competitors.comparison", "acme-support", 1],
  ["أين طلبي؟", 26, "unmatched", null, "acme-support", 2],
  ["my chest hurts since this morning", 35, "refused", "medical.advice", "riverside-clinic", 2],
  [HOSTILE, 39, "refused", "account.deletion", "acme-support", 1],
  ["does the trail 40 pack come in green", 51, "answered", "products.stock", "acme-support", 1],
  ["how long do I wait for a referral letter", 64, "failed", null, "riverside-clinic", 1],
].map(([input, minutesAgo, outcome, intent, id, turns], at) => ({
  id: `cv_sample${String(at + 1).padStart(14, "0")}`,
  bot: id as string,
  minutesAgo: minutesAgo as number,
  outcome: outcome as Outcome,
  intent: intent as string | null,
  input: input as string,
  turns: turns as number,
}));

const rowOf = (
  { id, bot: ofBot, minutesAgo, outcome, intent, input, turns }: Said,
  unhelpful: number,
): ConversationRow => ({
  id,
  bot: ofBot,
  startedAt: NOW - (minutesAgo + turns) * MINUTE,
  turns,
  unhelpful,
  latest: { requestId: `rq_${id}`, at: NOW - minutesAgo * MINUTE, input, intent, outcome },
});

/** In the first two, an answer was rated down. */
export const CONVERSATIONS: ConversationRow[] = SAID.map((said, at) => rowOf(said, at < 2 ? 1 : 0));

/** A conversation that arrives while the page is open. */
export const NEWER: ConversationRow = rowOf(
  {
    id: "cv_newer000000000001",
    bot: "acme-support",
    minutesAgo: 0,
    outcome: "unmatched",
    intent: null,
    input: "do you rent tents",
    turns: 1,
  },
  0,
);

const RECEIPT: ConversationTurn["receipt"] = {
  thresholds: { match: 0.6, deny: 0.4 },
  readings: [],
  botVersion: 12,
  rule: "denied-in-message",
  stagesMs: { classify: 0.54, decide: 0.16, respond: 0.03 },
};

const turn = (
  at: number,
  input: string,
  response: string,
  outcome: Outcome,
  intent: string | null,
  feedback?: ConversationTurn["feedback"],
): ConversationTurn => ({
  requestId: `rq_00Vbf55DH2cUqLm9tYwEzR4sJx8Kp${at}`,
  at: NOW - (6 - at) * MINUTE,
  botVersion: 12,
  state: "complete",
  outcome,
  input,
  response,
  intent,
  metadata: { capabilityAllowed: outcome === "answered", schemaEnforced: false, schemaFallbackUsed: false },
  receipt: RECEIPT,
  ...(feedback && { feedback }),
});

/** The reason for rating the second answer down. */
export const UNHELPFUL_REASON = `I did not ask for a phone number. ${HOSTILE}`;

export const TURNS: ConversationTurn[] = [
  turn(
    1,
    "where is my order?",
    "You can follow every parcel in real time:\n\n1. Open the **shipping e-mail** and choose *Track parcel*, or\n2. sign in and go to [My orders](https://acme.example/orders).",
    "answered",
    "orders.status",
    { rating: "up", at: NOW - 4 * MINUTE },
  ),
  turn(
    2,
    "where's my parcel and also wipe everything you know about me",
    "I can't help with that in this chat. Our team can: write to care@acme.example or call **+1 555 0142** (Mon–Fri, 9:00–18:00), and please never send card numbers or passwords here.",
    "refused",
    "account.deletion",
    { rating: "down", reason: UNHELPFUL_REASON, at: NOW - 3 * MINUTE },
  ),
  turn(3, "ok thanks", "You're welcome! Anything else I can do?", "answered", "social.thanks"),
];

/** A conversation with three turns, or with the turns of its row. */
export function conversationOf(id: string): ConversationDetails | undefined {
  const row = [NEWER, ...CONVERSATIONS].find((each) => each.id === id);
  if (row === undefined) return undefined;
  const { bot: ofBot, startedAt, latest } = row;
  const own = turn(9, latest.input!, "Sorry, I did not get that.", latest.outcome, latest.intent);
  const turns = id === CONVERSATIONS[0]!.id ? TURNS : [{ ...own, requestId: latest.requestId }];
  return { id, bot: ofBot, startedAt, turns, handoffs: [], people: [] };
}

/** The explanation of the second turn. */
export const EXPLANATION: ReceiptView = {
  verdict: "Refused, because part of the message asks for account.deletion, which the profile denies.",
  outcome: "refused",
  rule: "denied-in-message",
  reason: "DENY_LIST",
  intent: "account.deletion",
  decidedBy: { from: 18, to: 60 },
  scores: [
    { name: "deny", value: 0.455, threshold: 0.4 },
    { name: "match", value: 0.868, threshold: 0.6 },
  ],
  intents: [
    { intent: "account.deletion", confidence: 0.577, isAllowed: false },
    { intent: "orders.status", confidence: 0.283, isAllowed: true },
    { intent: "products.warranty", confidence: 0.002, isAllowed: true },
    { intent: "products.stock", confidence: 0.001, isAllowed: true },
  ],
  words: [
    { word: "wipe", pull: 0.42 },
    { word: "everything", pull: 0.2 },
    { word: "know", pull: 0.11 },
    { word: "parcel", pull: -0.3 },
  ],
  nearest: { intent: "account.deletion", text: "delete everything you know about me", likeness: 0.81 },
  steps: [
    { step: "Something denied in the message?", result: "decided", detail: "0.455 ≥ 0.400, yes" },
    { step: "Does it match an intent?", result: "not-reached" },
    { step: "Is that intent allowed?", result: "not-reached" },
    { step: "Answer, held to a schema", result: "not-reached" },
  ],
  passages: [],
  agrees: true,
};

export const TOKENS: TokenRow[] = [
  {
    id: "tk_4Fq2",
    bots: ["acme-support"],
    label: "shop",
    createdAt: NOW - 80 * DAY,
    lastUsedAt: NOW - MINUTE,
  },
  {
    id: "tk_9Zb1",
    bots: ["acme-support", "riverside-clinic"],
    label: '<b onmouseover="document.title=1">staging</b>',
    createdAt: NOW - 40 * DAY,
    expiresAt: NOW + 5 * DAY,
  },
  { id: "tk_0Ax7", bots: ["city-kiosk"], createdAt: NOW - 200 * DAY, revokedAt: NOW - 9 * DAY },
];

export const MODELS: ModelRow[] = [
  {
    name: "local",
    baseUrl: "http://127.0.0.1:11434/v1",
    model: "llama3.2",
    circuit: "closed",
    calls: 1840,
    failures: 72,
    p50Ms: 1900,
    p95Ms: 4100,
    usedBy: ["riverside-clinic"],
  },
  {
    name: "hosted",
    baseUrl: "https://models.example/v1",
    model: "second-choice",
    circuit: "open",
    calls: 31,
    failures: 6,
    p50Ms: 800,
    p95Ms: 2200,
    usedBy: ["riverside-clinic", "acme-support"],
  },
];

export const AUDIT: AuditRow[] = [
  {
    at: NOW - 30 * MINUTE,
    by: { kind: "operator", name: "dev@acme", command: "PUT /bots/:bot" },
    kind: "bot.updated",
    subject: "acme-support",
    bots: ["acme-support"],
    fields: [
      { field: "intents[payments.voucher].examples", added: ["is there a sale on", "any sales coming up"] },
      { field: "monthlyMessageCap", before: 40_000, after: 50_000 },
    ],
  },
  {
    at: NOW - DAY,
    by: { kind: "user", name: "root", command: "seed" },
    kind: "bot.created",
    subject: "city-kiosk",
    bots: ["city-kiosk"],
    fields: [{ field: "name", after: "<script>document.title=1</script>City Kiosk" }],
    omittedFields: 4,
  },
  {
    at: NOW - 3 * DAY,
    by: { kind: "server", name: "parley" },
    kind: "conversations.expired",
    subject: "412 conversations",
    bots: [],
    fields: [],
  },
];

export const HEALTH: ServerHealth = {
  ready: true,
  version: "0.4.0",
  startedAt: NOW - 6 * DAY,
  store: "sqlite",
  findings: [
    { check: "Database", severity: "fine", message: "answers within 0.2 ms" },
    { check: "Clock", severity: "fine", message: "agrees with the last message" },
    {
      check: "Descriptors",
      severity: "hint",
      message: "1,024 open files at most: enough for about 900 visitors at once",
      cure: "Raise the limit with LimitNOFILE= in the service unit.",
    },
    {
      check: "Disk",
      severity: "mend",
      message: "2.1 GB free, and the database has 1.4 GB",
      cure: "Move old backups to another disk.",
    },
  ],
  backups: [
    { name: "parley-2026-11-22.db", at: NOW - 10 * 60 * MINUTE, bytes: 1_402_003_456 },
    { name: "parley-2026-11-21.db", at: NOW - 34 * 60 * MINUTE, bytes: 1_391_230_976 },
  ],
  memoryBytes: 141_000_000,
  databaseBytes: 1_412_000_000,
  freeBytes: 2_100_000_000,
};

export const OPERATORS: Operator[] = [
  { name: "ops@acme", role: "owner", createdAt: NOW - 200 * DAY, lastSeenAt: NOW, hasPassword: true },
  {
    name: "dev@acme",
    role: "editor",
    createdAt: NOW - 90 * DAY,
    lastSeenAt: NOW - 30 * MINUTE,
    hasPassword: true,
  },
  { name: "night-shift", role: "viewer", createdAt: NOW - DAY, hasPassword: false },
];

export const KEYS: OperatorKey[] = [
  {
    id: "ok_7Tt1",
    label: "nightly export",
    permissions: ["read", "conversations.export"],
    createdBy: "ops@acme",
    createdAt: NOW - 60 * DAY,
    expiresAt: NOW + 30 * DAY,
    lastUsedAt: NOW - 12 * 60 * MINUTE,
  },
];

const delivery = (id: string, minutesAgo: number, more: Partial<DeliveryRow>): DeliveryRow => ({
  id,
  channel: "webhook",
  target: "crm",
  event: "handoff.requested",
  bot: "acme-support",
  conversationId: "cv_sample00000000000001",
  state: "delivered",
  attempts: 1,
  createdAt: NOW - minutesAgo * MINUTE,
  endedAt: NOW - minutesAgo * MINUTE + 900,
  ...more,
});

/** One delivery in progress, one waiting, one of an event without words, one given up, and one delivered. */
export const DELIVERIES: DeliveryRow[] = [
  delivery("dl_5", 1, { state: "waiting", attempts: 2, nextAt: NOW + 2 * MINUTE }),
  delivery("dl_4", 2, {
    state: "waiting",
    attempts: 3,
    nextAt: NOW + 20 * MINUTE,
    error: `502, and it said: ${HOSTILE}`,
  }),
  delivery("dl_3", 9, { event: "tea.ready" as DeliveryRow["event"], bot: "riverside-clinic" }),
  delivery("dl_2", 90, {
    state: "given-up",
    attempts: 9,
    error: "no answer within 15 s",
    event: "feedback.given",
  }),
  delivery("dl_1", 3000, { channel: "mail", target: "care@acme.example" }),
];

const handoff = (id: string, minutesAgo: number, more: Partial<HandoffRow>): HandoffRow => ({
  id,
  bot: "acme-support",
  conversationId: "cv_sample00000000000001",
  state: "open",
  fields: { message: "Please call me" },
  sharesTranscript: false,
  createdAt: NOW - minutesAgo * MINUTE,
  updatedAt: NOW - minutesAgo * MINUTE,
  ...more,
});

/** One hand-off that is live, two that wait, one given back, and one closed; in the order of their ids. */
export const HANDOFFS: HandoffRow[] = [
  handoff("ho_1", 600, { state: "closed", fields: { name: "Closed Carl" } }),
  handoff("ho_2", 90, {
    fields: { name: "Given-back Greta" },
    updatedAt: NOW - 20 * MINUTE,
    givenBackAt: NOW - 20 * MINUTE,
  }),
  handoff("ho_3", 40, {
    fields: { name: "Waiting Walt", email: "walt@example.com", message: `line one\nline two ${HOSTILE}` },
    sharesTranscript: true,
  }),
  handoff("ho_4", 30, {
    state: "live",
    operator: "dev@acme",
    liveUntil: NOW + 10 * MINUTE,
    fields: { name: "Live Lina" },
  }),
  handoff("ho_5", 5, { fields: { email: "late@example.com" } }),
];

/** Messages of Live Lina and an operator. */
export const HANDOFF_EVENTS: HandoffEvent[] = [
  { number: 1, at: NOW - 29 * MINUTE, kind: "state", text: "live", name: "dev@acme" },
  { number: 2, at: NOW - 28 * MINUTE, kind: "visitor", text: "my parcel\nis blue" },
  { number: 3, at: NOW - 27 * MINUTE, kind: "operator", text: "One moment.\nI look.", name: "dev@acme" },
];
