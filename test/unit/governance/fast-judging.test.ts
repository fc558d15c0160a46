import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";

import { BOT_RULES } from "../../../src/bots/rules.ts";
import { examplesOf } from "../../../src/bots/training.ts";
import type { DecisionEvidence, ReadingScores } from "../../../src/domain/decision.ts";
import { decide } from "../../../src/governance/decide.ts";
import { evidenceOf, judgeMessage, leastChanceOfClause } from "../../../src/governance/judge-message.ts";
import { compileGovernancePolicy } from "../../../src/governance/policy.ts";
import { openIntentModel } from "../../../src/intent/classifier.ts";
import { unpackModel } from "../../../src/intent/model/pack-model.ts";
import { trainIntentModel } from "../../../src/intent/training/train.ts";
import { parseBotFiles } from "../../../src/seed/bot-file.ts";
import { generatedMessages } from "../../support/generated-messages.ts";
import { judgePlainly } from "../../support/plain-judging/judge-message.ts";
import { PlainClassifier } from "../../support/plain-judging/plain-classifier.ts";

/** `PARLEY_GENERATED_MESSAGES=100000` takes minutes. */
const MESSAGES = Number(process.env["PARLEY_GENERATED_MESSAGES"] ?? 2000);
const SEED = Number(process.env["PARLEY_GENERATED_SEED"] ?? 16);
const MINUTES = 60_000 * (1 + MESSAGES / 5000);
/** As low and as high as operators may set it, and the default. */
const DENY_THRESHOLDS = [0.02, 0.1, 0.4, 0.7, 1];
const PREVIOUS = { offered: [], asks: true, wasAllowed: true, ageMs: 1000 };
/** Sums in another order differ by rounding. */
const ROUNDING = 1e-5;
const TIE = 1e-6;

/** Two with deny lists, of which one denies by a pattern; and one in German, whose words are found by their stems. */
const FILES = [
  "data/acme-support.yaml",
  "data/riverside-clinic.yaml",
  "test/bench/realistic/bots/umzuege-krause.yaml",
];
const documents = FILES.map((file) => {
  const text = readFileSync(`${import.meta.dir}/../../../${file}`, "utf8");
  return parseBotFiles([{ name: file, text }], BOT_RULES).bots[0]!.document;
});
const texts = documents.flatMap(({ intents = [] }) => intents.flatMap(({ examples = [] }) => examples));

function messages(count: number, seed = SEED): string[] {
  return Array.from(generatedMessages(texts, seed).take(count));
}

describe.each(documents)("of $id", (document) => {
  const { model } = trainIntentModel(examplesOf(document));
  const fast = openIntentModel(model);
  const plain = new PlainClassifier(unpackModel(model));
  const policy = compileGovernancePolicy(document, fast);

  test(
    "a message is judged and decided as it is without any short cut",
    () => {
      const generated = messages(Math.ceil(MESSAGES / documents.length), SEED + documents.indexOf(document));
      for (const [i, text] of generated.entries()) {
        const [judged, other] = [judgeMessage(text, fast, policy), judgePlainly(text, plain, policy)];
        const context = JSON.stringify(text);
        expect(decide({ judged, policy }), context).toEqual(decide({ judged: other, policy }));
        const deny = DENY_THRESHOLDS[i % DENY_THRESHOLDS.length]!;
        const changed = { ...policy, thresholds: { ...policy.thresholds, deny } };
        const previous = { ...PREVIOUS, intent: policy.intents[i % policy.intents.length]! };
        expect(
          decide({ judged: judgeMessage(text, fast, changed), policy: changed, previous }),
          `${context} as a follow-up, at ${deny}`,
        ).toEqual(decide({ judged: other, policy: changed, previous }));
        const [found, expected] = [
          evidenceOf(judged, policy),
          withoutFaintClauses(evidenceOf(other, policy)),
        ];
        expect(differences(found, expected), context).toEqual([]);
        expect(judged.social, context).toEqual(other.social);
        expect(judged.asksForPerson, context).toBe(other.asksForPerson);
        expect(judged.sharedBy, context).toEqual(other.sharedBy);
        expect(
          [judged.request, judged.isExample, judged.isBrief, judged.goesOn, judged.isAgreement],
          context,
        ).toEqual([other.request, other.isExample, other.isBrief, other.goesOn, other.isAgreement]);
      }
    },
    MINUTES,
  );
});

/** The paths at which two receipts differ by more than rounding. */
function differences(found: unknown, expected: unknown, path = ""): string[] {
  if (typeof found === "number" && typeof expected === "number")
    return Math.abs(found - expected) <= ROUNDING ? [] : [`${path}: ${found}, ${expected}`];
  if (typeof found !== "object" || typeof expected !== "object" || found === null || expected === null)
    return found === expected ? [] : [`${path}: ${String(found)}, ${String(expected)}`];
  const [these, those] = [found, expected] as Record<string, unknown>[];
  const keys = new Set([...Object.keys(these!), ...Object.keys(those!)]);
  const isTied = path.endsWith(".clause") && leadAlike(found as Clause, expected as Clause);
  return [...keys]
    .filter((key) => !isTied || (key !== "from" && key !== "to"))
    .flatMap((key) => differences(these![key], those![key], `${path}.${key}`));
}

/** What a receipt tells of a message whose clauses are all told of. */
function withoutFaintClauses({ thresholds, readings }: DecisionEvidence): DecisionEvidence {
  const least = leastChanceOfClause(thresholds);
  return {
    thresholds,
    readings: readings.map(({ clause, ...reading }) => ({
      ...reading,
      ...(clause && clause.denied >= least && { clause }),
    })),
  };
}

type Clause = NonNullable<ReadingScores["clause"]>;

/** In "night night" two stretches lead alike, and rounding says which of them comes first. */
function leadAlike(one: Clause, other: Clause): boolean {
  return one.to - one.from === other.to - other.from && Math.abs(one.denied - other.denied) < TIE;
}
