import { unescape } from "node:querystring";

import type { LoadedBot } from "../../bots/loaded-bot.ts";
import type { ChatSource, NextStep } from "../../domain/chat.ts";
import type { PastTurn } from "../../domain/conversation.ts";
import type {
  CandidateReceipt,
  Decision,
  DeniedBy,
  Encoding,
  KnowledgeReceipt,
} from "../../domain/decision.ts";
import { KNOWLEDGE_INTENT } from "../../domain/ids.ts";
import type { EpochMs } from "../../domain/time.ts";
import { isAskedOfDocuments } from "../../governance/ask-knowledge.ts";
import type { Target, WeighedCandidate, WeighedCandidates } from "../../governance/candidates.ts";
import { decide } from "../../governance/decide.ts";
import { deniedByRule } from "../../governance/denial-gate.ts";
import { findDenyRule } from "../../governance/find-deny-rule.ts";
import { askedBy, type JudgedMessage } from "../../governance/judged-message.ts";
import { extractAnswer } from "../../knowledge/extract.ts";
import { headingOf } from "../../knowledge/passage-texts.ts";
import { linkOf, type Passage, titleOf } from "../../knowledge/passage.ts";
import { holdsWordOf } from "../../knowledge/question.ts";
import type { WeighedPassage, WeighedTexts } from "../../knowledge/weigh-passages.ts";
import { answerFromScript } from "../../respond/scripted.ts";
import { givenDataIn } from "../../text/given-data.ts";
import { asksToPassOn, previousTurn, classifyAgain, earlierRequest } from "./earlier-turns.ts";
import { withMeaning } from "./use-encoder.ts";
import { type Asking, type Competition, weighCompetition } from "./weigh-candidates.ts";

/** Passages for a message, and the part that may be shown. */
export interface ConsultedKnowledge {
  /** Sentences of the documents; empty if nothing answers. */
  text: string;
  sources: readonly ChatSource[];
  /** The passages that answer, best first, followed by context for a model; empty if nothing answers. */
  passages: readonly Passage[];
  /** The likeliest passages, best first, shown or not. */
  likeliest: readonly { id: number; passage: Passage }[];
  /** The passage shown first; absent if none is. */
  first?: { id: number; passage: Passage };
  /** Titles of the passages, by id, for explaining a decision. */
  titles: ReadonlyMap<number, string>;
  /** Ids of the documents that would be shown. */
  documents: readonly string[];
  /** Suggested next questions: headings of other likely passages. */
  next: readonly NextStep[];
  receipt: KnowledgeReceipt;
}

/** The bot that decides, with its access to the encoder. */
export interface Deciding extends Asking {
  /** Called with the reason if encoding failed. */
  onFailure: (error: unknown) => void;
  /** Whether the message was encoded; if not, it is not compared with passages either, for the same reason. */
  understanding?: Encoding;
}

/** The result of deciding. */
export interface DecidedTurn {
  decision: Decision;
  /** Absent if the bot's documents were not searched. */
  knowledge?: ConsultedKnowledge;
  /** The likeliest candidates; absent if there was no competition. */
  candidates?: readonly CandidateReceipt[];
}

/**
 * Decides a judged message as the next turn after `turns`. If it is not denied, and the bot has documents, their passages compete with the
 * bot's intents.
 */
export async function decideTurn(
  { bot, vectors, onFailure, understanding }: Deciding,
  judged: JudgedMessage,
  turns: readonly PastTurn[],
  at: EpochMs,
): Promise<DecidedTurn> {
  const instead = judged.social?.kind === "repair" ? classifyAgain(bot, turns, at) : undefined;
  const question = askedBy(judged);
  const given = givenDataIn(question.text);
  const input = {
    judged,
    policy: bot.policy,
    ...previousTurn(turns, at),
    ...(instead && { instead }),
    ...(given && { given }),
    ...(asksToPassOn(bot.policy.texts, turns) && { asksToPassOn: true as const }),
  };
  const decision = decide(input);
  if (!bot.knowledge.isThere() || !isAskedOfDocuments(decision, question)) return { decision };
  const before = earlierRequest(turns, at, bot.policy.social);
  const { found, meaning = understanding } = await withMeaning(vectors, onFailure, (weighing) =>
    weighCompetition({ bot, vectors: weighing }, judged, before),
  );
  const { weighed, asTyped } = found;
  const competing = { ...input, weighed, ...(asTyped && { asTyped }) };
  const again = decide(competing);
  if (isDenial(again)) return { decision: again };
  const shown = { bot, competition: found, meaning };
  const said = repeatedTargets(shown, again, turns);
  if (said === undefined) return present(shown, again);
  return presentOnceMore(shown, again, turns) ?? present(shown, decide({ ...competing, said }));
}

/** Whether a message is denied, whatever candidates it has. */
function isDenial({ rule }: Decision): boolean {
  return rule === "denied-in-message" || rule === "denied-in-clause" || rule === "denied-in-disguise";
}

/** Minimum probability at which the previous answer is repeated if there is no other. Chosen by hand. */
const SURE = 0.8;

/**
 * A passage that was shown just before: only its best sentence, if it differs and contains the question's words; otherwise the passage,
 * after a note that there is no more. Undefined if it does not answer the question.
 */
function presentOnceMore(
  shown: Presenting,
  decision: Decision,
  turns: readonly PastTurn[],
): DecidedTurn | undefined {
  if (decision.kind === "restricted" || decision.intent !== KNOWLEDGE_INTENT) return undefined;
  const { competition } = shown;
  const narrow = { ...shown, isNarrow: true };
  const isAsked = decision.passages!.some((id) => holdsWord(findPassage(competition, id)));
  if (!isAsked) return undefined;
  if (repeatedTargets(narrow, decision, turns) === undefined) return present(narrow, decision);
  const isSure = competition.weighed[0]!.candidates[0]!.chance >= SURE;
  const once = { ...shown, before: shown.bot.policy.texts.say("nothingMore") };
  return isSure && repeatedTargets(once, decision, turns) === undefined ? present(once, decision) : undefined;
}

/** Whether a passage contains a word of the question; true if the question has only function words. */
function holdsWord({ question, coverage }: ShownPassage): boolean {
  return coverage > 0 || !question.units.some(({ isContent }) => isContent);
}

/** The competition, and how to show its result. */
interface Presenting {
  bot: LoadedBot;
  competition: Competition;
  meaning: KnowledgeReceipt["meaning"];
  /** Only the best sentence is shown. */
  isNarrow?: boolean;
  /** Text before it. */
  before?: string;
}

/** The answer of a decision if it is identical to the one before. */
function repeatedTargets(
  { bot, competition, isNarrow, before }: Presenting,
  decision: Decision,
  turns: readonly PastTurn[],
): readonly Target[] | undefined {
  const last = turns.at(-1);
  if (decision.kind === "restricted" || last === undefined) return undefined;
  const { intent, alsoIntents = [], passages = [] } = decision;
  const intents = [intent, ...alsoIntents].filter((name) => name !== KNOWLEDGE_INTENT);
  if (intents.some((name) => bot.responderFor(name).kind === "model")) return undefined;
  const text = [
    ...(before === undefined ? [] : [before]),
    ...intents.map((name) => answerFromScript(bot.script, name, turns).text),
    ...passages.map((id) => textOf(findPassage(competition, id), isNarrow)),
  ].join("\n\n");
  if (text !== last.response) return undefined;
  return [
    ...intents.map((name): Target => ({ kind: "intent", intent: name })),
    ...passages.map((id): Target => ({ kind: "passage", passage: id, document: "", heading: "" })),
  ];
}

/** The shown parts of the chosen passages. Texts that the profile denies are neither shown nor sent to a model. */
function present(presenting: Presenting, decision: Decision): DecidedTurn {
  const { bot, competition } = presenting;
  const ids = decision.kind === "allowed" ? (decision.passages ?? []) : [];
  const shown = ids.map((id) => findPassage(competition, id));
  const knowledge = consultedOf(presenting, shown);
  const deniedBy =
    shown.length === 0 ? undefined : denyRuleIn(bot, [knowledge.text, ...knowledge.sources.flatMap(shownOf)]);
  return {
    decision: deniedBy === undefined ? decision : withDenial(decision, deniedBy, bot.policy.mode),
    knowledge,
    candidates: competition.weighed[0]!.candidates.slice(0, MAX_IN_RECEIPT).map(receiptOfCandidate),
  };
}

/** A decision to show a text that a rule denies; in observe mode it is shown. */
function withDenial(decision: Decision, deniedBy: DeniedBy, mode: "enforce" | "observe"): Decision {
  if (mode === "enforce") return deniedByRule(deniedBy);
  return decision.kind === "allowed" ? { ...decision, wouldRestrict: deniedByRule(deniedBy) } : decision;
}

/** A chosen passage, for the part of the message that it answers best. */
function findPassage({ weighed, texts }: Competition, id: number): ShownPassage {
  const chances = weighed.map(
    ({ candidates }) =>
      candidates.find(({ target }) => target.kind === "passage" && target.passage === id)?.chance ?? -1,
  );
  const held = chances.indexOf(Math.max(...chances));
  const { question, passages } = texts[held]!;
  const reading = weighed[held]!.candidates.find(
    ({ target }) => target.kind === "passage" && target.passage === id,
  )!.reading;
  return { question, reading, ...passages.find((passage) => passage.id === id)! };
}

/** The visible texts of a source: its title, and its address as written and as browsers show it. */
export function shownOf({ title, url }: ChatSource): string[] {
  return url === undefined ? [title] : [title, url, unescape(url)];
}

/** The rule that denies a text. Texts denied in messages are neither shown nor sent to a model. */
export function denyRuleIn(
  { policy, classifier }: LoadedBot,
  texts: readonly string[],
): DeniedBy | undefined {
  return policy.denyRules && findDenyRule(texts.join("\n"), [], policy.denyRules, classifier);
}

function receiptOfCandidate({ target, chance, reading, speaking }: WeighedCandidate): CandidateReceipt {
  const { meaning, words, classifier, context } = speaking;
  return {
    ...(target.kind === "intent"
      ? { intent: target.intent }
      : { passage: { id: target.passage, document: target.document } }),
    chance: toThousandth(chance),
    reading,
    speaking: {
      meaning: toTenth(meaning),
      words: toTenth(words),
      classifier: toTenth(classifier),
      context: toTenth(context),
    },
  };
}

/** Passages and candidates in a receipt. */
const MAX_IN_RECEIPT = 5;
/** Passages in a model's prompt. */
const MAX_IN_CONTEXT = 4;
/** Passages in a judge's prompt. */
const MAX_TOLD = 8;
/** Suggested headings, and the least probability (0–1) of one that contains a word of the message. */
const MAX_NEXT = 3;
const MIN_NEXT = 0.01;

type ShownPassage = WeighedPassage & Pick<WeighedTexts, "question"> & Pick<WeighedCandidate, "reading">;

function consultedOf(
  { competition, meaning, isNarrow, before }: Presenting,
  shown: readonly ShownPassage[],
): ConsultedKnowledge {
  const [weighed] = competition.weighed;
  const [texts] = competition.texts;
  const [first] = shown;
  const ranked = rankedPassages(weighed!, texts!);
  const others = ranked.filter(({ passage }) => shown.every(({ id }) => id !== passage.id));
  const chance = ranked[0]?.chance ?? 0;
  return {
    text: [
      ...(before === undefined || first === undefined ? [] : [before]),
      ...shown.map((passage) => textOf(passage, isNarrow)),
    ].join("\n\n"),
    sources: sourcesOf(shown),
    passages:
      first === undefined
        ? []
        : [...shown, ...others.map(({ passage }) => passage)]
            .slice(0, MAX_IN_CONTEXT)
            .map(({ passage }) => passage),
    likeliest: ranked.slice(0, MAX_TOLD).map(({ passage: { id, passage } }) => ({ id, passage })),
    ...(first && { first }),
    titles: new Map(texts!.passages.map(({ id, passage }) => [id, titleOf(passage)])),
    documents: [...new Set(shown.map(({ passage }) => passage.documentId))],
    next: headingsOf(others, texts!.question).map((heading) => ({ label: heading, input: heading })),
    receipt: {
      confidence: toThousandth(chance),
      passages: ranked.slice(0, MAX_IN_RECEIPT).map(({ passage: { id, passage }, chance: score }) => ({
        id,
        document: passage.documentId,
        score: toThousandth(score),
      })),
      ...(ranked[0]?.reading === "in-context" && { isFollowUp: true }),
      ...(meaning && { meaning }),
    },
  };
}

/** Distinct headings that contain a word of the question. */
function headingsOf(
  others: readonly { passage: WeighedPassage; chance: number }[],
  question: WeighedTexts["question"],
): string[] {
  const near = others.filter(({ chance }) => chance >= MIN_NEXT);
  const headings = new Set(near.map(({ passage: { passage } }) => headingOf(passage)));
  return [...headings].filter((heading) => holdsWordOf(question, heading)).slice(0, MAX_NEXT);
}

/** The shown text of a passage. */
function textOf({ question, candidate, sentences, reading }: ShownPassage, isNarrow = false): string {
  const sentence = sentences[reading === "in-context" ? 1 : 0];
  return extractAnswer(question, candidate, { sentence, isNarrow });
}

/** The passages by falling probability. */
function rankedPassages(weighed: WeighedCandidates, texts: WeighedTexts) {
  return weighed.candidates.flatMap(({ target, chance, reading }) => {
    if (target.kind !== "passage") return [];
    const passage = texts.passages.find(({ id }) => id === target.passage)!;
    return [{ passage, chance, reading }];
  });
}

export function sourceOf(passage: Passage): ChatSource {
  const url = linkOf(passage);
  return { title: titleOf(passage), ...(url !== undefined && { url }) };
}

/** Distinct sources. */
function sourcesOf(shown: readonly WeighedPassage[]): ChatSource[] {
  const all = shown.map(({ passage }) => sourceOf(passage));
  return [...new Map(all.map((source) => [source.url ?? source.title, source])).values()];
}

function toTenth(value: number): number {
  return Math.round(value * 10) / 10;
}

function toThousandth(value: number): number {
  return Math.round(value * 1000) / 1000;
}
