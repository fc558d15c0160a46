import type { BotDocument } from "../../domain/bot.ts";
import { sentencesOf } from "../../knowledge/sentences.ts";
import { termsOf } from "../../knowledge/terms.ts";
import { contentWordsOf } from "../../text/content-words.ts";
import { HARMLESS } from "../../text/follow-up-words.ts";
import { languageOfBot } from "../../texts/bot-wording.ts";
import { SAYS_LITTLE } from "../likely-wrong.ts";
import { type FoundPassage, type KnowledgeToSearch, searchKnowledge } from "../search-knowledge.ts";
import { type Quantity, quantitiesIn } from "./quantities.ts";

/** An answer and a document that state different amounts, probably about the same subject. */
export interface Contradiction {
  intent: string;
  /** Sentence of the answer. */
  answer: string;
  /** Title and headings of the passage. */
  document: string;
  /** Sentence of the document. */
  says: string;
}

/** The search uses words only, so that seeding does not have to encode a bot's documents. */
type Searched = Pick<KnowledgeToSearch, "document" | "knowledge">;

type Intent = NonNullable<BotDocument["intents"]>[number];

/**
 * Minimum probability, by words alone, at which a passage may share an intent's subject. It must also rank first for several of the
 * intent's examples. Of the pairs that only one example found on the nine bots of `npm run bench:conversation`, four of six were false (ten
 * pairs in total); see docs/measurements.md.
 */
const SURE = 0.6;
/** Examples of an intent that are searched for; more add little. */
const MAX_EXAMPLES = 20;

/** Finds amounts that answers and documents state differently. @param pause awaited between searches if visitors share this thread. */
export async function findContradictions(
  searched: Searched,
  pause: () => Promise<void> = async () => {},
): Promise<Contradiction[]> {
  const { document, knowledge } = searched;
  if (!knowledge.isThere()) return [];
  const found: Contradiction[] = [];
  for (const intent of document.intents ?? []) {
    if (!(intent.responses ?? []).some((response) => quantitiesIn(response).length > 0)) continue;
    for (const passage of await passagesAbout(searched, intent, pause)) {
      const contradiction = contradictionIn(intent, passage, document.language ?? languageOfBot(document));
      if (contradiction) found.push(contradiction);
    }
  }
  return found;
}

/** The passages on an intent's subject, found by its examples. */
async function passagesAbout(
  searched: Searched,
  { examples = [] }: Intent,
  pause: () => Promise<void>,
): Promise<FoundPassage[]> {
  const about = new Map<string, { passage: FoundPassage; times: number; confidence: number }>();
  for (const example of examples.slice(0, MAX_EXAMPLES)) {
    const { confidence, results } = await searchKnowledge(searched, example);
    await pause();
    const [passage] = results;
    if (passage === undefined) continue;
    const known = about.getOrInsertComputed(nameOf(passage) + passage.passage, () => ({
      passage,
      times: 0,
      confidence: 0,
    }));
    known.times++;
    known.confidence = Math.max(known.confidence, confidence);
  }
  return [...about.values()].flatMap(({ passage, times, confidence }) =>
    times > 1 && confidence >= SURE ? [passage] : [],
  );
}

/** A sentence with its amounts. */
interface Stated {
  text: string;
  quantities: readonly Quantity[];
}

/** The pair of sentences with the most common words among those that state different amounts; undefined if there is none. */
function contradictionIn(
  { name, label = "", examples = [], responses = [] }: Intent,
  passage: FoundPassage,
  language: string,
): Contradiction | undefined {
  const answers = responses.flatMap((response) => statedIn(response, language));
  const sayings = statedIn(passage.passage, language);
  const subject = [label, ...examples].join("\n");
  let best: (Contradiction & { shared: number }) | undefined;
  for (const answer of answers) {
    for (const saying of sayings) {
      if (!differ(answer, saying, answers, sayings)) continue;
      const shared = sharedWords(`${subject}\n${answer.text}`, `${passage.heading}\n${saying.text}`);
      if (shared <= (best?.shared ?? 0)) continue;
      best = { intent: name, answer: answer.text, document: nameOf(passage), says: saying.text, shared };
    }
  }
  if (best === undefined) return undefined;
  const { shared: _, ...contradiction } = best;
  return contradiction;
}

function statedIn(text: string, language: string): Stated[] {
  return sentencesOf(text, language)
    .map(({ start, end }) => text.slice(start, end))
    .map((sentence) => ({ text: sentence, quantities: quantitiesIn(sentence) }));
}

/** Whether both state an amount of the same kind, and neither text contains the other sentence's amount. */
function differ(
  answer: Stated,
  saying: Stated,
  answers: readonly Stated[],
  sayings: readonly Stated[],
): boolean {
  return answer.quantities.some(({ kind }) => {
    const values = (stated: readonly Stated[]) =>
      new Set(
        stated.flatMap(({ quantities }) =>
          quantities.filter((one) => one.kind === kind).map(({ value }) => value),
        ),
      );
    const [own, others] = [values([answer]), values([saying])];
    return others.size > 0 && own.isDisjointFrom(values(sayings)) && others.isDisjointFrom(values(answers));
  });
}

/** Number of content words that two texts share, in any form. */
function sharedWords(one: string, other: string): number {
  const terms = termsOf(other);
  const words = contentWordsOf(one).filter((word) => !SAYS_LITTLE.test(word) && !HARMLESS.has(word));
  return words.filter((word) => !termsOf(word).isDisjointFrom(terms)).length;
}

function nameOf({ title, heading }: FoundPassage): string {
  return heading === "" ? title : `${title} › ${heading}`;
}

/** A contradiction as a warning in one sentence. */
export function contradictionInWords({ intent, answer, document, says }: Contradiction): string {
  return `${intent} answers “${answer}”, and ${document} says “${says}”. These may contradict each other. If both are right, say so in the answer.`;
}
