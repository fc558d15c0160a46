import { join } from "node:path";

import { parse } from "yaml";

import type { BotDocument } from "../../src/domain/bot.ts";
import type {
  BotMistake,
  BotOrigin,
  BotReviewResult,
  BotVersionSummary,
  ChangedMessage,
  KnowledgeDocument,
  PublishPreview,
  TestOutcome,
} from "../../src/domain/operator/bots.ts";
import type { ReceiptView, TryResult } from "../../src/domain/operator/conversations.ts";
import type { ImproveGroup, SetAside } from "../../src/domain/operator/improve.ts";
import type { Outcome } from "../../src/domain/operator/overview.ts";
import { botJsonSchema } from "../../src/seed/bot-json-schema.ts";
import { BOTS, HOSTILE, NOW } from "./console-data.ts";
import { answerTo, apiProblem, bodyOf, type ConsoleService, streamTo } from "./console-service.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const BOT = "acme-support";

const ACME = await Bun.file(join(import.meta.dir, "../../data/acme-support.yaml")).text();

/** A test's bots and groups, which the test may change. */
export interface BotsOfService {
  versions: { yaml: string; by: string; note?: string; restoredFrom?: number }[];
  draft: { yaml: string; baseVersion: number; by: string; revision: number } | undefined;
  groups: ImproveGroup[];
  preview: PublishPreview;
  mistakes: BotMistake[];
  documents: KnowledgeDocument[];
  setAside: SetAside[];
  enabled: boolean;
}

type Row = [
  text: string,
  times: number,
  before: Outcome,
  beforeIntent: string | null,
  after: Outcome,
  afterIntent: string,
];

const changed = (
  [text, times, before, beforeIntent, after, afterIntent]: Row,
  at: number,
): ChangedMessage => ({
  requestId: `rq_changed${at}`,
  conversationId: `cv_changed${at}`,
  text,
  times,
  before: {
    outcome: before,
    intent: beforeIntent,
    reason: before === "refused" ? "DENY_LIST" : null,
    rule: "intent",
  },
  after: { outcome: after, intent: afterIntent, reason: null, rule: "intent" },
});

const WORSE: Row[] = [
  ["can i get a receipt for my expenses", 3, "answered", "returns.start", "asked", "payments.methods"],
  ["can I split the bill", 1, "asked", "payments.methods", "answered", "payments.methods"],
];
const IMPROVED: Row[] = [
  ["i need a VAT invoice", 9, "asked", "payments.methods", "answered", "payments.invoice"],
  ["please send me the invoice for order 48213", 7, "asked", "orders.status", "answered", "payments.invoice"],
];
const MOVED: Row[] = [
  ["invoice??", 4, "answered", "payments.methods", "answered", "payments.invoice"],
  [
    "can I get an invoice with my company name",
    2,
    "answered",
    "payments.methods",
    "answered",
    "payments.invoice",
  ],
  ["do you send a paper invoice", 2, "answered", "payments.methods", "answered", "payments.invoice"],
];

const TESTS: TestOutcome[] = ["where is my order", "delete my account", "are you hiring"].map(
  (utterance, at) => ({
    test: at + 1,
    passed: true,
    utterance,
    mismatches: [],
  }),
);

export const PREVIEW: PublishPreview = {
  baseVersion: 2,
  mistakes: [],
  tests: TESTS,
  messages: 2000,
  distinct: 1412,
  newlyAnswered: [],
  worse: WORSE.map(changed),
  improved: IMPROVED.map(changed),
  moved: MOVED.map(changed),
  crossValidation: {
    before: { right: 405, asked: 21, judged: 458 },
    after: { right: 418, asked: 19, judged: 465 },
  },
  replacesFile: true,
  tookMs: 1712,
};

/** A refusal that the draft would turn into an answer. */
export const NEWLY_ANSWERED = changed(
  [
    "can you give me legal advice about my invoice",
    2,
    "refused",
    "legal.advice",
    "answered",
    "payments.invoice",
  ],
  77,
);

interface GroupSample {
  kind: ImproveGroup["kind"];
  turns: number;
  texts: string[];
  hoursAgo: number;
  intent?: string;
  nearest?: [string, number][];
  /** For answers that were rated down: the answer, and the visitor's reason. */
  answer?: string;
  reasons?: string[];
}

const GROUPS: GroupSample[] = [
  {
    kind: "asked",
    turns: 212,
    hoursAgo: 1,
    texts: [
      "i need a VAT invoice",
      "please send me the invoice for order 48213",
      "where do I download my invoice",
      "i need an invoice for my tax return",
      "invoice??",
      "can you add our VAT number to the invoice",
      "can I get an invoice with my company name",
      "can i get a receipt for my expenses",
      "whats your VAT number",
      "do you send a paper invoice",
    ],
    nearest: [
      ["payments.methods", 0.41],
      ["orders.status", 0.24],
    ],
  },
  {
    kind: "asked",
    turns: 96,
    hoursAgo: 3,
    texts: ["what material is the ridge jacket made of", "is the jacket cotton"],
  },
  { kind: "asked", turns: 71, hoursAgo: 5, texts: ["can you wrap it as a present"] },
  { kind: "unmatched", turns: 38, hoursAgo: 20, texts: ["can I put the rain shell in the dryer", "dryer?"] },
  { kind: "unmatched", turns: 33, hoursAgo: 30, texts: ["ich möchte meine Bestellung stornieren"] },
  {
    kind: "refused",
    turns: 27,
    hoursAgo: 40,
    texts: ["is the down ethically sourced"],
    intent: "legal.advice",
  },
  { kind: "unmatched", turns: 9, hoursAgo: 60, texts: ["أين طلبي؟"] },
  { kind: "unmatched", turns: 7, hoursAgo: 80, texts: [HOSTILE] },
  {
    kind: "unhelpful",
    turns: 14,
    hoursAgo: 2,
    texts: ["where is my order", "my parcel has not moved for a week", "order 48213 is late"],
    intent: "orders.status",
    nearest: [["orders.status", 0.91]],
    answer: "You can follow every parcel in real time: open the shipping e-mail and choose Track parcel.",
    reasons: ["I have no such e-mail", HOSTILE],
  },
];

const groupOf = (
  { kind, turns, texts, hoursAgo, intent, nearest = [], answer, reasons = [] }: GroupSample,
  at: number,
): ImproveGroup => ({
  id: `ig_${at}`,
  bot: BOT,
  kind,
  turns,
  distinct: texts.length,
  firstAt: NOW - 20 * DAY,
  latestAt: NOW - hoursAgo * 60 * MINUTE,
  intent: intent ?? nearest[0]?.[0] ?? null,
  reason: kind === "refused" ? "DENY_LIST" : null,
  nearest: nearest.map(([name, confidence]) => ({ intent: name, confidence })),
  messages: texts.map((text, n) => ({
    text,
    times: Math.max(1, Math.round(turns / (n + 4))),
    latestAt: NOW - hoursAgo * 60 * MINUTE,
    requestId: `rq_${at}_${n}`,
    conversationId: `cv_${at}_${n}`,
    ...(answer !== undefined && { answer, reasons: n === 0 ? reasons : [] }),
  })),
});

const REVIEW: BotReviewResult = {
  grade: "good",
  right: 405,
  asked: 21,
  documents: 0,
  judged: 458,
  next: "Move 3 examples between payments.card_details and payments.methods.",
  overlaps: [
    {
      intents: ["payments.card_details", "payments.methods"],
      confused: 3,
      total: 43,
      examplesToMove: [
        {
          text: "take the payment from my visa ending 4242, the cvv is 123",
          from: "payments.card_details",
          to: "payments.methods",
        },
      ],
    },
    { intents: ["products.stock", "products.warranty"], confused: 3, total: 41, examplesToMove: [] },
    { intents: ["orders.status", "shipping.times"], confused: 2, total: 43, examplesToMove: [] },
  ],
  warnings: [],
};

const DOCUMENTS: KnowledgeDocument[] = [
  { id: "returns.md", source: "returns.md", title: "Returns and refunds", passages: 14, isUploaded: false },
  { id: "up_1", source: "care-guide.pdf", title: "Care guide", passages: 32, isUploaded: true },
];

/** A receipt of a message that a single word denies. */
export function receiptOf(outcome: Outcome, intent: string | null): ReceiptView {
  return {
    verdict:
      outcome === "refused"
        ? "It asks for deleting an account, which the profile denies."
        : `It is about ${intent ?? "nothing that the bot knows"}.`,
    outcome,
    rule: outcome === "refused" ? "denied-in-message" : "intent",
    reason: outcome === "refused" ? "DENY_LIST" : null,
    intent,
    scores: [
      { name: "deny", value: outcome === "refused" ? 0.661 : 0.04, threshold: 0.4 },
      { name: "match", value: 0.934, threshold: 0.6 },
    ],
    intents: [
      { intent: intent ?? "orders.status", confidence: 0.833, isAllowed: outcome !== "refused" },
      { intent: "account.password", confidence: 0.052, isAllowed: true },
    ],
    words: [],
    nearest: { intent: intent ?? "orders.status", text: "delete my account", likeness: 0.82 },
    steps: [
      { step: "Something denied in the message?", result: outcome === "refused" ? "decided" : "passed" },
      { step: "Does it match an intent?", result: outcome === "refused" ? "not-reached" : "decided" },
    ],
    passages: [],
  };
}

function tryResultOf(input: string, isDraft: boolean): TryResult {
  const isDenied = /d ?e ?l ?e ?t ?e/.test(input);
  const intent = isDenied
    ? "account.deletion"
    : /invoice/.test(input)
      ? isDraft
        ? "payments.invoice"
        : "payments.methods"
      : "orders.status";
  const outcome = isDenied ? "refused" : "answered";
  return {
    response: isDenied
      ? "I can't help with that in this chat. Our team can: write to care@acme.example."
      : intent === "payments.invoice"
        ? "Every order has its invoice under [My orders](https://acme.example/orders)."
        : `This is about **${intent}**.`,
    intent,
    metadata: { capabilityAllowed: !isDenied, schemaEnforced: false, schemaFallbackUsed: false },
    outcome,
    receipt: receiptOf(outcome, intent),
    tookMs: 0.8,
  };
}

const conflict = () => apiProblem(412, "CONFLICT", "It has been changed meanwhile; read it again.");

const nameOf = (yaml: string) => (parse(yaml) as BotDocument).name;

/** Adds a bot that can be edited, tried and published, and groups for improving it, to a stand-in of the operator listener. */
export function serveBots(service: ConsoleService): BotsOfService {
  const bots: BotsOfService = {
    versions: [
      { yaml: ACME, by: "parley seed" },
      {
        yaml: ACME.replace("maxInputLength: 1500", "maxInputLength: 2000"),
        by: "dev@acme",
        note: "longer messages",
      },
    ],
    draft: undefined,
    groups: GROUPS.map(groupOf),
    preview: PREVIEW,
    mistakes: [],
    documents: [...DOCUMENTS],
    setAside: [],
    enabled: true,
  };
  const on = (route: string, answer: (request: Request) => Response | Promise<Response>) =>
    service.answers.set(route, answer);
  serveVersions(on, bots);
  serveDraft(on, bots);
  serveWork(on, bots);
  serveImprove(on, bots);
  return bots;
}

type On = (route: string, answer: (request: Request) => Response | Promise<Response>) => unknown;

/** Versions were published one day apart, the latest today. */
const publishedAt = (bots: BotsOfService, version: number) => NOW - (bots.versions.length - version) * DAY;

function serveVersions(on: On, bots: BotsOfService): void {
  const details = () => {
    const { yaml, by } = bots.versions.at(-1)!;
    const version = bots.versions.length;
    const document = parse(yaml) as BotDocument;
    const origin: BotOrigin = by === "parley seed" ? "file" : "console";
    const facts = {
      id: BOT,
      name: nameOf(yaml),
      enabled: bots.enabled,
      version,
      origin,
      updatedAt: publishedAt(bots, version),
    };
    return answerTo(
      "GET /bots/:bot",
      {
        ...facts,
        intents: document.intents?.length ?? 0,
        messages: 27_914,
        cap: 50_000,
        hasDraft: bots.draft !== undefined,
        yaml,
        document,
        publishedBy: by,
        mistakes: [],
        endpoints: [],
      },
      { ETag: `"v${version}"` },
    );
  };
  const summaryOf = (version: number): BotVersionSummary => {
    const { by, note, restoredFrom } = bots.versions[version - 1]!;
    return {
      version,
      origin: by === "parley seed" ? "file" : "console",
      publishedAt: publishedAt(bots, version),
      publishedBy: by,
      ...(note !== undefined && { note }),
      ...(restoredFrom !== undefined && { restoredFrom }),
    };
  };
  const seen = (request: Request) => request.headers.get("if-match") === `"v${bots.versions.length}"`;
  on("GET /bots/schema", () => Response.json(botJsonSchema()));
  on("GET /bots", () => {
    const others = BOTS.filter(({ id }) => id !== BOT);
    const known = BOTS.find(({ id }) => id === BOT)!;
    return answerTo("GET /bots", {
      items: [
        { ...known, name: nameOf(bots.versions.at(-1)!.yaml), hasDraft: bots.draft !== undefined },
        ...others,
      ],
    });
  });
  on(`GET /bots/${BOT}`, details);
  on(`PUT /bots/${BOT}`, async (request) => {
    if (!seen(request)) return conflict();
    const { yaml, draft } = await bodyOf("PUT /bots/:bot", request);
    bots.versions.push({ yaml, by: "ops@acme" });
    if (draft === bots.draft?.revision) bots.draft = undefined;
    return details();
  });
  on(`PATCH /bots/${BOT}`, async (request) => {
    bots.enabled = (await bodyOf("PATCH /bots/:bot", request)).enabled;
    return details();
  });
  on(`DELETE /bots/${BOT}`, () => answerTo("DELETE /bots/:bot", undefined));
  on("POST /bots", details);
  on(`GET /bots/${BOT}/versions`, () =>
    answerTo("GET /bots/:bot/versions", {
      items: bots.versions.map((_, at) => summaryOf(at + 1)).toReversed(),
      next: null,
    }),
  );
  for (const version of Array.from({ length: 20 }, (_, at) => at + 1)) {
    on(`GET /bots/${BOT}/versions/${version}`, () =>
      answerTo("GET /bots/:bot/versions/:version", {
        ...summaryOf(version),
        yaml: bots.versions[version - 1]!.yaml,
        document: parse(bots.versions[version - 1]!.yaml) as BotDocument,
      }),
    );
    on(`POST /bots/${BOT}/versions/${version}/restore`, (request) => {
      if (!seen(request)) return conflict();
      bots.versions.push({ yaml: bots.versions[version - 1]!.yaml, by: "ops@acme", restoredFrom: version });
      return details();
    });
  }
}

function serveDraft(on: On, bots: BotsOfService): void {
  const tag = () => `"v${bots.draft?.revision ?? "none"}"`;
  const answer = () => {
    const { by: updatedBy, ...draft } = bots.draft!;
    return answerTo("GET /bots/:bot/draft", { ...draft, updatedAt: NOW, updatedBy }, { ETag: tag() });
  };
  on(`GET /bots/${BOT}/draft`, () =>
    bots.draft === undefined ? new Response(null, { status: 204 }) : answer(),
  );
  on(`PUT /bots/${BOT}/draft`, async (request) => {
    const isFirst = bots.draft === undefined && !request.headers.has("if-match");
    if (!isFirst && request.headers.get("if-match") !== tag()) return conflict();
    const body = await bodyOf("PUT /bots/:bot/draft", request);
    bots.draft = { ...body, by: "ops@acme", revision: (bots.draft?.revision ?? 0) + 1 };
    return answer();
  });
  on(`DELETE /bots/${BOT}/draft`, (request) => {
    if (request.headers.get("if-match") !== tag()) return conflict();
    bots.draft = undefined;
    return answerTo("DELETE /bots/:bot/draft", undefined);
  });
}

function serveWork(on: On, bots: BotsOfService): void {
  on(`POST /bots/${BOT}/validate`, () => answerTo("POST /bots/:bot/validate", { mistakes: bots.mistakes }));
  on(`POST /bots/${BOT}/preview`, () =>
    streamTo("POST /bots/:bot/preview", {
      ...bots.preview,
      baseVersion: bots.versions.length,
      mistakes: bots.mistakes,
    }),
  );
  on(`POST /bots/${BOT}/tests`, () =>
    streamTo("POST /bots/:bot/tests", {
      tests: bots.preview.tests.map((each) => ({ ...each, mismatches: [...each.mismatches] })),
    }),
  );
  on(`POST /bots/${BOT}/review`, () => streamTo("POST /bots/:bot/review", REVIEW));
  on(`POST /bots/${BOT}/try`, async (request) => {
    const { input, yaml } = await bodyOf("POST /bots/:bot/try", request);
    return answerTo("POST /bots/:bot/try", tryResultOf(input, yaml !== undefined));
  });
  on(`GET /bots/${BOT}/knowledge`, () => answerTo("GET /bots/:bot/knowledge", { items: bots.documents }));
  on(`POST /bots/${BOT}/knowledge`, async (request) => {
    const file = (await request.formData()).get("file") as File;
    const document = {
      id: `up_${file.name}`,
      source: file.name,
      title: file.name,
      passages: 3,
      isUploaded: true,
    };
    bots.documents.push(document);
    return answerTo("POST /bots/:bot/knowledge", document);
  });
  on(`DELETE /bots/${BOT}/knowledge/up_1`, () => {
    bots.documents = bots.documents.filter(({ id }) => id !== "up_1");
    return answerTo("DELETE /bots/:bot/knowledge/:id", undefined);
  });
}

/** The groups without what was set aside. */
function openGroups({ groups, setAside }: BotsOfService): ImproveGroup[] {
  const gone = new Set(setAside.flatMap(({ texts }) => texts));
  return groups.flatMap((group) => {
    const messages = group.messages.filter(({ text }) => !gone.has(text));
    return messages.length === 0 ? [] : { ...group, messages };
  });
}

function serveImprove(on: On, bots: BotsOfService): void {
  on("GET /improve", () => {
    return answerTo("GET /improve", {
      groups: openGroups(bots),
      looked: 1204,
      turns: 1204,
      notKept: 0,
      setAside: bots.setAside.length,
    });
  });
  on("POST /improve/set-aside", async (request) => {
    bots.setAside.push(await bodyOf("POST /improve/set-aside", request));
    return answerTo("POST /improve/set-aside", undefined);
  });
  on("DELETE /improve/set-aside", async (request) => {
    const { texts } = await bodyOf("DELETE /improve/set-aside", request);
    bots.setAside = bots.setAside.filter((aside) => aside.texts.join() !== texts.join());
    return answerTo("DELETE /improve/set-aside", undefined);
  });
}
