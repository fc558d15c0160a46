import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import type { Passage } from "../../../src/knowledge/passage.ts";

/** Languages of XQuAD (Artetxe, Ruder, Yogatama 2020), whose passages and questions are translations of one another. */
export const LANGUAGES = ["ar", "de", "el", "en", "es", "hi", "ro", "ru", "th", "tr", "vi", "zh"] as const;
/** Paraphrased questions of people (Karan and Šnajder 2018), with the titles of their answers. */
export const FAQ = "stackfaq-en";

export interface KnownPassage {
  id: number;
  /** The article or item that it comes from. */
  article: number;
  passage: Passage;
}

export interface KnownQuestion {
  text: string;
  /** The id of the passage that answers it. */
  passageId: number;
  article: number;
  /** A part of the passage; absent if all of it is the answer. */
  answer?: string;
}

export interface DataSet {
  name: string;
  language: string;
  passages: readonly KnownPassage[];
  questions: readonly KnownQuestion[];
}

/** Folder of the passages and questions, and whether it exists. */
export function findDataFolder(): { folder: string; exists: boolean } {
  const root = resolve(import.meta.dir, "../../..");
  const folder = resolve(process.env["PARLEY_KNOWLEDGE_DATA"] ?? join(root, "../shared/knowledge-data"));
  return { folder, exists: existsSync(folder) };
}

/** The folder; ends the script if it does not exist. */
export function dataFolder(): string {
  const { folder, exists } = findDataFolder();
  if (!exists) {
    console.error(`No passages in ${folder}. Set PARLEY_KNOWLEDGE_DATA to the folder that holds them.`);
    process.exit(2);
  }
  return folder;
}

interface Line {
  passage: string;
  title?: string;
  text?: string;
  question?: string;
  answer?: string;
}

/** Reads `<folder>/<name>.jsonl`. */
export function loadDataSet(folder: string, name: string): DataSet {
  const lines = readFileSync(join(folder, `${name}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  const articles = new Map<string, number>();
  const articleOf = ({ passage }: Line) => {
    const [article = passage] = passage.split("-");
    if (!articles.has(article)) articles.set(article, articles.size);
    return articles.get(article)!;
  };
  const found = lines.filter(({ text }) => text !== undefined);
  const ids = new Map(found.map(({ passage }, id) => [passage, id]));
  return {
    name,
    language: name.split("-")[1]!,
    passages: found.map((line, id) => ({
      id,
      article: articleOf(line),
      passage: { documentId: line.passage, title: line.title!, headingPath: [], body: line.text! },
    })),
    questions: lines
      .filter(({ question }) => question !== undefined)
      .map((line) => ({
        text: line.question!,
        passageId: ids.get(line.passage)!,
        article: articleOf(line),
        ...(line.answer !== undefined && { answer: line.answer }),
      })),
  };
}

/** All sets: XQuAD, a set a language, and the FAQ. */
export function loadDataSets(folder: string): { xquad: DataSet[]; faq: DataSet } {
  return {
    xquad: LANGUAGES.map((language) => loadDataSet(folder, `xquad-${language}`)),
    faq: loadDataSet(folder, FAQ),
  };
}
