import { ServiceError } from "../domain/errors.ts";
import type { KnowledgeDocument } from "../domain/operator/bots.ts";
import { packTerms, termsOfPassage } from "../knowledge/packed-terms.ts";
import { titleOf } from "../knowledge/passage.ts";
import { addressFault } from "../knowledge/sources/check-sources.ts";
import type { ParsedDocument } from "../knowledge/sources/document.ts";
import { formatOfFile, READABLE } from "../knowledge/sources/formats/format.ts";
import { contentHash, documentId } from "../knowledge/sources/identity.ts";
import { DOCUMENT_LIMITS } from "../knowledge/sources/limits.ts";
import { ParseThread } from "../knowledge/sources/thread/parse-thread.ts";
import type { BotKey } from "../store/interface/bots.ts";
import type { Knowledge, PassageToStore, StoredSource } from "../store/interface/knowledge.ts";
import { OneAtATime } from "./one-at-a-time.ts";
import { UPLOADS } from "./refresh-knowledge.ts";
import { Slices } from "./slices.ts";

const SOURCE: StoredSource = { name: UPLOADS, origin: "upload", folder: "", entry: UPLOADS };

/** Bytes of one upload, which is in memory whole while it is read: manuals have some megabytes. */
export const MOST_UPLOADED_BYTES = 20_000_000;
/** Of one bot, so that nobody fills the disk by accident; a help centre has some hundreds. */
const MOST_UPLOADS = 2000;

/** Uploads that may be under way, or wait to be read. The console sends one file after another, so that these are as many operators. */
const MOST_UNDER_WAY = 8;
/** Of these together, so that three of the largest may. Each takes its size three times: as it came, as a form, and as its reader has it. */
const MOST_BYTES_UNDER_WAY = 64_000_000;

/**
 * The uploads of this server. One is read at a time: what the process grows by is known to be that one's, and visitors keep a core.
 */
export class UploadQueue {
  readonly #reading = new OneAtATime();
  #underWay = 0;
  #bytes = 0;

  /**
   * Gives an upload its place, which it keeps until that is disposed of. To be asked for before its body is read.
   *
   * @throws ServiceError OVERLOADED where as many are under way already
   */
  enter(bytes: number): Disposable {
    if (this.#underWay >= MOST_UNDER_WAY || this.#bytes + bytes > MOST_BYTES_UNDER_WAY) throw tooMany();
    this.#underWay += 1;
    this.#bytes += bytes;
    return {
      [Symbol.dispose]: () => {
        this.#underWay -= 1;
        this.#bytes -= bytes;
      },
    };
  }

  /** @throws the signal's reason where it aborts before the work's turn. */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#reading.run(work, signal);
  }
}

function tooMany(): ServiceError {
  return new ServiceError("OVERLOADED", "Too many documents are being uploaded at once; try again shortly.", {
    headers: { "Retry-After": "5" },
  });
}

/** A file that an operator uploads. */
export interface UploadedFile {
  name: string;
  bytes: Uint8Array;
}

/** All documents that a bot answers from, by place. */
export async function listKnowledge(
  knowledge: Pick<Knowledge, "listDocuments" | "listSources">,
  bot: BotKey,
): Promise<KnowledgeDocument[]> {
  const sources = await knowledge.listSources(bot);
  const retired = new Set(sources.filter(({ isRetired }) => isRetired).map(({ name }) => name));
  const documents = (await knowledge.listDocuments(bot)).filter(({ source }) => !retired.has(source));
  return documents.map(({ id, source, place, title, url, passages }) => ({
    id,
    source: source === UPLOADS ? place.slice(UPLOADS.length) : place,
    title,
    ...(url !== undefined && { url }),
    passages,
    isUploaded: source === UPLOADS,
  }));
}

/**
 * Reads an uploaded document, on a thread of its own, and stores it in the place of what was uploaded by that name before. Visitors are
 * answered from it within a second.
 *
 * @throws ServiceError INVALID_REQUEST where it cannot be read, with the reason.
 */
export async function uploadDocument(
  knowledge: Knowledge,
  bot: BotKey,
  { name, bytes }: UploadedFile,
  signal: AbortSignal,
): Promise<KnowledgeDocument> {
  const place = `${UPLOADS}${name}`;
  const id = documentId(place);
  await refuseTooMany(knowledge, bot, id);
  const parsed = await parse({ name, bytes });
  const { title = withoutExtension(name), url: own } = parsed;
  const url = own !== undefined && addressFault(own) === undefined ? own : undefined;
  const passages = await withTerms(parsed, title, signal);
  await nameSource(knowledge, bot);
  const document = { id, source: UPLOADS, place, title, hash: contentHash(bytes), ...(url && { url }) };
  await knowledge.saveDocuments(bot, [{ ...document, passages }]);
  await knowledge.noteChange(bot, { stored: 1, removed: 0 });
  return { id, source: name, title, ...(url && { url }), passages: passages.length, isUploaded: true };
}

/**
 * Deletes an uploaded document.
 *
 * @throws ServiceError NOT_FOUND where there is none of that id; INVALID_REQUEST where it was not uploaded.
 */
export async function deleteUpload(
  knowledge: Pick<Knowledge, "listDocuments" | "removeDocuments" | "noteChange">,
  bot: BotKey,
  id: string,
): Promise<void> {
  const document = (await knowledge.listDocuments(bot)).find((known) => known.id === id);
  if (!document) throw new ServiceError("NOT_FOUND", "This bot has no such document.");
  if (document.source !== UPLOADS) {
    throw new ServiceError(
      "INVALID_REQUEST",
      `${document.place} was not uploaded; it leaves with its place in the bot's \`knowledge\`.`,
    );
  }
  await knowledge.removeDocuments(bot, [id]);
  await knowledge.noteChange(bot, { stored: 0, removed: 1 });
}

async function refuseTooMany(
  knowledge: Pick<Knowledge, "listDocuments">,
  bot: BotKey,
  id: string,
): Promise<void> {
  const uploads = (await knowledge.listDocuments(bot)).filter(({ source }) => source === UPLOADS);
  if (uploads.length < MOST_UPLOADS || uploads.some((known) => known.id === id)) return;
  throw unreadable(`${MOST_UPLOADS} documents are uploaded to this bot already; delete some first.`);
}

async function parse({ name, bytes }: UploadedFile): Promise<ParsedDocument> {
  const format = formatOfFile(name);
  if (format === undefined) throw unreadable(`\`${name}\` is not ${READABLE}.`);
  using thread = new ParseThread();
  const news = await thread.parse({
    format,
    bytes,
    limits: { ...DOCUMENT_LIMITS, bytes: MOST_UPLOADED_BYTES },
  });
  if (news.kind === "unreadable") throw unreadable(`\`${name}\` ${news.reason}.`);
  return news.document;
}

function unreadable(message: string): ServiceError {
  return new ServiceError("INVALID_REQUEST", message);
}

function withoutExtension(name: string): string {
  return name.replace(/\.[a-z]+$/i, "") || name;
}

/** To find what passages are found by takes the loop, on which visitors wait. */
async function withTerms(
  { passages }: ParsedDocument,
  title: string,
  signal: AbortSignal,
): Promise<PassageToStore[]> {
  const slices = new Slices(signal);
  const found: PassageToStore[] = [];
  for (const passage of passages) {
    const heading = titleOf({ title, headingPath: passage.headingPath });
    found.push({ ...passage, terms: packTerms(termsOfPassage(heading, passage.body)) });
    await slices.pause();
  }
  return found;
}

/** Notes that the bot has uploads, so that `seed` and `knowledge refresh` leave them alone. */
async function nameSource(knowledge: Pick<Knowledge, "changeSources">, bot: BotKey): Promise<void> {
  await knowledge.changeSources(bot, (stored) =>
    stored.some(({ name }) => name === UPLOADS) ? stored : [...stored, SOURCE],
  );
}
