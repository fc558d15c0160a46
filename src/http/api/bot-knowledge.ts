import { Type } from "@sinclair/typebox";

import { KnowledgeDocument } from "../../domain/operator/bots.ts";
import {
  deleteUpload,
  listKnowledge,
  MAX_UPLOADED_BYTES,
  type UploadedFile,
  uploadDocument,
  UploadQueue,
} from "../../operate/uploaded-documents.ts";
import { invalid } from "../json-body.ts";
import { BotParams, type BotRoutesParts, findBot } from "./bot-parts.ts";
import { allOf, type ApiRoute, Reply, route } from "./frame.ts";

/** Bytes of a form besides its file. */
const FORM_BYTES = 64 * 1024;
const MAX_UPLOAD_BODY = MAX_UPLOADED_BYTES + FORM_BYTES;
const MAX_NAME_LENGTH = 200;

/** Routes of a bot's documents. */
export function botKnowledgeRoutes(parts: BotRoutesParts): ApiRoute[] {
  const queue = new UploadQueue();
  return [
    route({
      method: "GET",
      path: "/bots/:bot/knowledge",
      permission: "read",
      summary: "The documents that a bot answers from",
      params: BotParams,
      response: allOf(KnowledgeDocument),
      async answer({ params }) {
        const { key } = await findBot(parts, params.bot);
        return { items: await listKnowledge(parts.store.knowledge, key) };
      },
    }),
    route({
      method: "POST",
      path: "/bots/:bot/knowledge",
      permission: "bots.write",
      summary: "Upload a document as `file`: Markdown, HTML, text, PDF, DOCX, CSV or JSON, at most 20 MB",
      multipart: true,
      maxBodyBytes: MAX_UPLOAD_BODY,
      params: BotParams,
      response: KnowledgeDocument,
      async answer({ params, request, readForm, signal }) {
        const { key } = await findBot(parts, params.bot);
        const announced = Number(request.headers.get("content-length") ?? MAX_UPLOAD_BODY);
        using _ = queue.enter(Math.min(announced, MAX_UPLOAD_BODY));
        const file = await fileOf(await readForm());
        const read = () => uploadDocument(parts.store.knowledge, key, file, signal);
        return new Reply(await queue.run(read, signal), { status: 201 });
      },
    }),
    route({
      method: "DELETE",
      path: "/bots/:bot/knowledge/:id",
      permission: "bots.write",
      summary: "Delete an uploaded document",
      params: Type.Object({ ...BotParams.properties, id: Type.String({ maxLength: 100 }) }),
      async answer({ params }) {
        const { key } = await findBot(parts, params.bot);
        await deleteUpload(parts.store.knowledge, key, params.id);
      },
    }),
  ];
}

/** The one file of a form. @throws ServiceError INVALID_REQUEST */
async function fileOf(form: FormData): Promise<UploadedFile> {
  const file: unknown = form.get("file");
  if (!(file instanceof File)) throw missing("must be a file");
  // Bun leaves the name undefined if it is empty.
  const given: string | undefined = file.name;
  // Old browsers sent the whole path.
  const name = (given ?? "").split(/[/\\]/).at(-1)!.replaceAll(/\p{C}/gu, "").trim();
  if (name === "" || name.length > MAX_NAME_LENGTH)
    throw missing(`must have a name of at most ${MAX_NAME_LENGTH} characters`);
  return { name, bytes: new Uint8Array(await file.arrayBuffer()) };
}

function missing(detail: string) {
  return invalid(`\`file\` ${detail}.`, [{ pointer: "/file", detail }]);
}
