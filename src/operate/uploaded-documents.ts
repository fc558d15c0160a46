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
import type { PassageToStore, StoredSource } from "../store/interface/knowledge.ts";
import type { Knowledge } from "../store/interface/store.ts";
import { OneAtATime, Slices } from "./long-work.ts";
import { UPLOADS } from "./refresh-knowledge.ts";

const SOURCE: StoredSource = { name: UPLOADS, origin: "upload", folder: "", entry: UPLOADS };

/** Largest upload in bytes; it is read in memory as a whole. Manuals have some megabytes. */
export const MAX_UPLOADED_BYTES = 20_000_000;
/** Most uploads per bot, to protect the disk; a help centre has some hundreds. */
const MAX_UPLOADS = 2000;

/** Most uploads in progress or waiting. The console sends one file at a time, so this is also the number of operators. */
const MAX_UNDER_WAY = 8;
/**
 * Most bytes of these together, enough for three of the largest size. Each takes up to three times its size: as received, as a form, and as
 * read.
 */
const MAX_BYTES_UNDER_WAY = 64_000_000;

/** The queue of uploads. One is read at a time, to bound memory and leave a core to visitors. */
export class UploadQueue {
  readonly #reading = new OneAtATime();
  #underWay = 0;
  #bytes = 0;

  /**
   * Reserves a place for an upload until disposed. Call before reading the body.
   *
   * @throws ServiceError OVERLOADED if too many are in progress
   */
  enter(bytes: number): Disposable {
    if (this.#underWay >= MAX_UNDER_WAY || this.#bytes + bytes > MAX_BYTES_UNDER_WAY) throw tooMany();
    this.#underWay += 1;
    this.#bytes += bytes;
    return {
      [Symbol.dispose]: () => {
        this.#underWay -= 1;
        this.#bytes -= bytes;
      },
    };
  }

  /** @throws the signal's reason if it aborts before the work starts. */
  run<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#reading.run(work, signal);
  }
}

function tooMany(): ServiceError {
  return new ServiceError("OVERLOADED", "Too many documents are being uploaded at once; try again shortly.", {
    headers: { "Retry-After": "5" },
  });
}

/** An uploaded file. */
export interface UploadedFile {
  name: string;
  bytes: Uint8Array;
}

/** All documents of a bot, by place. */
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
 * Reads an uploaded document on a thread and stores it, replacing an earlier upload of the same name. It is used within a second.
 *
 * @throws ServiceError INVALID_REQUEST if it cannot be read, with the reason.
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
 * @throws ServiceError NOT_FOUND if there is no such document; INVALID_REQUEST if it was not uploaded.
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
      `${document.place} was not uploaded; to remove it, remove its source from the bot's \`knowledge\`.`,
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
  if (uploads.length < MAX_UPLOADS || uploads.some((known) => known.id === id)) return;
  throw unreadable(`${MAX_UPLOADS} documents are uploaded to this bot already; delete some first.`);
}

async function parse({ name, bytes }: UploadedFile): Promise<ParsedDocument> {
  const format = formatOfFile(name);
  if (format === undefined) throw unreadable(`The document is not ${READABLE}.`);
  using thread = new ParseThread();
  const news = await thread.parse({
    format,
    bytes,
    limits: { ...DOCUMENT_LIMITS, bytes: MAX_UPLOADED_BYTES },
  });
  if (news.kind === "unreadable") throw unreadable(`The document ${news.reason}.`);
  return news.document;
}

function unreadable(message: string): ServiceError {
  return new ServiceError("INVALID_REQUEST", message);
}

function withoutExtension(name: string): string {
  return name.replace(/\.[a-z]+$/i, "") || name;
}

/** Computing search terms blocks the loop, which visitors share. */
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

/** Records that the bot has uploads, so that `seed` and `knowledge refresh` keep them. */
async function nameSource(knowledge: Pick<Knowledge, "changeSources">, bot: BotKey): Promise<void> {
  await knowledge.changeSources(bot, (stored) =>
    stored.some(({ name }) => name === UPLOADS) ? stored : [...stored, SOURCE],
  );
}
